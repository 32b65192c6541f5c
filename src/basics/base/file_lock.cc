#include "base/file_lock.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/text.h"

namespace culprit {

Result<FileLock> FileLock::take(const std::filesystem::path& file, const Stop& stop) {
  const auto failed = [&] {
    return fail(ErrorKind::io,
                "cannot lock " + printable(file.native(), 500) + ": " + std::generic_category().message(errno));
  };
  FileLock lock(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644));
  if (lock.descriptor_ < 0) return failed();
  constexpr std::chrono::milliseconds between_tries{50};
  while (::flock(lock.descriptor_, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return failed();
    if (is_stopped(stop)) return ended_early();
    std::this_thread::sleep_for(between_tries);
  }
  return lock;
}

FileLock::~FileLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

}  // namespace culprit
