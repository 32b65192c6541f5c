#include "app/owner_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <string>
#include <system_error>
#include <vector>

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "owner";

/// It gets its name once it is locked, so whoever finds it unlocked finds a dead owner's.
bool make_locked(int descriptor, const fs::path& before, const fs::path& after) {
  return ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 && ::rename(before.c_str(), after.c_str()) == 0;
}

bool is_ownerless(const fs::path& folder) {
  const int descriptor = ::open((folder / name).c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  const bool is_free = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0;
  ::close(descriptor);
  return is_free;
}

}  // namespace

OwnerLock OwnerLock::of(const fs::path& folder) {
  const fs::path before = folder / (std::string(name) + ".new");
  const int descriptor = ::open(before.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return OwnerLock(-1);
  if (make_locked(descriptor, before, folder / name)) return OwnerLock(descriptor);
  ::unlink(before.c_str());
  ::close(descriptor);
  return OwnerLock(-1);
}

OwnerLock::~OwnerLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool remove_ownerless(const fs::path& parent, std::string_view prefix) {
  std::error_code ignored;
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(parent, ignored)) {
    const bool is_folder = entry.is_directory(ignored) && !entry.is_symlink(ignored);
    if (is_folder && entry.path().filename().native().starts_with(prefix) && is_ownerless(entry.path()))
      found.push_back(entry.path());
  }
  for (const fs::path& folder : found) fs::remove_all(folder, ignored);
  return !found.empty();
}

}  // namespace culprit
