#pragma once
// Who owns a folder of temporary files, so that a later run can tell what a killed one left from what a living one
// needs.

#include <filesystem>
#include <string_view>
#include <utility>

namespace culprit {

/// A file `owner` in the folder, locked (flock(2)) as long as this lives: the system lets go of the lock when the
/// process ends, however it ends. Where the file system knows no locks there is no such file, and nobody else touches
/// the folder.
class OwnerLock {
 public:
  static OwnerLock of(const std::filesystem::path& folder);
  OwnerLock(OwnerLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  OwnerLock& operator=(OwnerLock&&) = delete;
  ~OwnerLock();

 private:
  explicit OwnerLock(int descriptor) : descriptor_(descriptor) {}
  int descriptor_ = -1;
};

/// Removes the folders in `parent` that begin with `prefix`, hold such a file, and have no living owner. Links are not
/// followed. True if there were any.
bool remove_ownerless(const std::filesystem::path& parent, std::string_view prefix);

}  // namespace culprit
