#pragma once
// One process at a time does a thing; the others wait for it.

#include <filesystem>
#include <utility>

#include "base/error.h"
#include "base/stop.h"

namespace culprit {

/// An empty file, locked (flock(2)) as long as this lives; the system lets go of it when the process ends, however it
/// ends. The file stays.
class FileLock {
 public:
  /// Waits until nobody else has it. Errors: io where the file cannot be made or the file system knows no locks;
  /// interrupted.
  static Result<FileLock> take(const std::filesystem::path& file, const Stop& stop = {});
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

}  // namespace culprit
