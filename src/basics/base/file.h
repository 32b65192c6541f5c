#pragma once
// Files: read with a limit, written beside and then renamed, and never outside the folder they belong to.

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/stop.h"

namespace culprit {

namespace fs = std::filesystem;

/// The whole of a regular file. Directories, devices, unreadable files and files over `limit` bytes are errors that say
/// so.
Result<std::string> read_file(const fs::path& path, std::uint64_t limit = UINT64_C(16) << 30);

/// Writes to a temporary name in the same folder, flushes, then renames: readers see the old file or the new one.
/// On failure (a full disk) nothing is left behind. A link to a file stays a link; devices and pipes (/dev/stdout)
/// cannot be replaced and are written to.
Result<void> write_file_atomic(const fs::path& path, std::string_view bytes);

enum class Durability {
  flushed,   ///< survives a power cut: what users keep
  buffered,  ///< as fast as the page cache: what only this run's processes read
};
/// Writes content that lies in pieces as write_file_atomic does, one after the other. ErrorKind::interrupted, and
/// nothing left behind, where it was stopped.
Result<void> write_pieces_atomic(const fs::path& path, std::span<const std::string_view> pieces, Durability durability,
                                 const Stop& stop = {});

/// `folder / relative`, or an error where that is absolute, climbs out with "..", or passes through a symbolic link
/// that leaves the folder (but for the links of a hub's cache, <repository>/snapshots/*/ to <repository>/blobs). The
/// file need not exist. For paths named by untrusted models and archives.
Result<fs::path> path_inside(const fs::path& folder, std::string_view relative);

/// A file mapped for reading; unmapped at the end. An empty file gives an empty span.
class MappedFile {
 public:
  static Result<MappedFile> open(const fs::path& path);
  MappedFile(MappedFile&&) noexcept;
  MappedFile& operator=(MappedFile&&) noexcept;
  ~MappedFile();
  [[nodiscard]] std::span<const std::byte> bytes() const { return {data_, size_}; }

 private:
  MappedFile(const std::byte* data, std::size_t size) : data_(data), size_(size) {}
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

/// A fresh folder that is removed, with all that is in it, when this goes out of scope (unless `keep` was called).
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(const fs::path& parent, std::string_view prefix);
  TemporaryFolder(TemporaryFolder&&) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
  ~TemporaryFolder();
  [[nodiscard]] const fs::path& path() const { return path_; }
  void keep() { path_.clear(); }

 private:
  explicit TemporaryFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

}  // namespace culprit
