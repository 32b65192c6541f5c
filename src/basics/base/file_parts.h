#pragma once
// Files of which parts are read, and files that grow at their end: what is too large, or too slow, to be taken whole.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "base/error.h"

namespace culprit {

class OpenFile;

/// A regular file of which any part can be read. Copies share it. Nothing of it stays in memory, and one that is cut
/// short meanwhile is an error (a mapped one would end the process).
class FileParts {
 public:
  static Result<FileParts> open(const std::filesystem::path& path);
  [[nodiscard]] std::uint64_t size() const;  ///< when it was opened
  /// Fills `into` from the byte `at` on. Errors: the file ends before that (bad_input); io.
  Result<void> read(std::uint64_t at, std::span<std::byte> into) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  FileParts(std::shared_ptr<const OpenFile> file, std::filesystem::path path)
      : file_(std::move(file)), path_(std::move(path)) {}
  std::shared_ptr<const OpenFile> file_;
  std::filesystem::path path_;
};

/// A new file that grows at its end, for processes of this run: not flushed to the disk.
class GrowingFile {
 public:
  /// What was there is gone.
  static Result<GrowingFile> create(const std::filesystem::path& path);
  GrowingFile(GrowingFile&& other) noexcept;
  GrowingFile& operator=(GrowingFile&&) = delete;
  ~GrowingFile();
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// In one call to the system, as long as it takes all; else what was begun stays. Errors: io.
  Result<void> append(std::span<const std::string_view> pieces);

 private:
  GrowingFile(int descriptor, std::filesystem::path path) : descriptor_(descriptor), path_(std::move(path)) {}
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::filesystem::path path_;
};

}  // namespace culprit
