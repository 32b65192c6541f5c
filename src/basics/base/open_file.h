#pragma once
// A regular file opened for reading, and the messages for everything that is not one. Private to this room.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"

namespace culprit {

/// "cannot read models/x.onnx: no such file": what the system said about `path` (untrusted: it is made printable).
tl::unexpected<Error> system_failure(const char* doing, const std::filesystem::path& path, int error_number);

/// A path with a NUL byte would name another file in system calls than it does in messages.
Result<void> check_path(const std::filesystem::path& path);

/// Owns a file descriptor. Opening never blocks, not even on a FIFO without a writer.
class OpenFile {
 public:
  static Result<OpenFile> open(const std::filesystem::path& path);
  OpenFile(OpenFile&& other) noexcept;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();
  [[nodiscard]] int descriptor() const { return descriptor_; }
  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// Up to `wanted` bytes; 0 at the end of the file.
  Result<std::size_t> read(char* into, std::size_t wanted) const;

 private:
  OpenFile(int descriptor, std::uint64_t size, std::filesystem::path path)
      : descriptor_(descriptor), size_(size), path_(std::move(path)) {}
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::filesystem::path path_;
};

}  // namespace culprit
