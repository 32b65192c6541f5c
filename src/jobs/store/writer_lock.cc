#include "store/writer_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <string>
#include <system_error>
#include <thread>

#include "base/stopwatch.h"
#include "base/text.h"

namespace culprit {
namespace {

std::filesystem::path lock_beside(const std::filesystem::path& store) {
  return std::filesystem::path(store.native() + ".lock");
}

struct flock lock_of_all() {
  struct flock lock = {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

tl::unexpected<Error> cannot_lock(const std::filesystem::path& lock, int error_number) {
  return fail(ErrorKind::io,
              "cannot lock " + printable(lock.native(), 500) + ": " + std::generic_category().message(error_number),
              "the folder of a run has to be writable, and on a disk of this machine");
}

/// The process that the file names; 0 where it does not tell.
pid_t owner_in(int descriptor) {
  std::array<char, 20> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  pid_t owner = 0;
  std::from_chars(text.data(), text.data() + std::max<ssize_t>(size, 0), owner);
  return std::max(owner, 0);
}

bool is_gone(pid_t process) { return process > 0 && ::kill(process, 0) != 0 && errno == ESRCH; }

/// Takes the lock, or tells why not (errno). A process that is killed while it starts another leaves the lock to that
/// one, until it has become another program: on a busy machine, for a while.
bool lock_whole(int descriptor) {
  constexpr std::chrono::milliseconds between_tries{10};
  constexpr double longest = 10;  // seconds
  const Stopwatch watch;
  struct flock whole = lock_of_all();
  while (::fcntl(descriptor, F_OFD_SETLK, &whole) != 0) {
    const int reason = errno;
    const bool is_held = reason == EAGAIN || reason == EACCES;
    const bool may_wait = watch.seconds() < longest;
    if (!is_held || !may_wait || !is_gone(owner_in(descriptor))) {
      errno = reason;
      return false;
    }
    std::this_thread::sleep_for(between_tries);
  }
  return true;
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::filesystem::path& store) {
  const std::filesystem::path path = lock_beside(store);
  WriterLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
  if (lock.descriptor_ < 0) return cannot_lock(path, errno);
  if (!lock_whole(lock.descriptor_)) {
    if (errno != EAGAIN && errno != EACCES) return cannot_lock(path, errno);
    const pid_t owner = owner_in(lock.descriptor_);
    const std::string process = owner == 0 ? "" : " (process " + std::to_string(owner) + ")";
    return fail(ErrorKind::usage, printable(store.native(), 500) + " is in use by another run" + process,
                "wait until that ends, or name another folder");
  }
  // Only people read the number; on a full disk they have none.
  const std::string owner = std::to_string(::getpid()) + "\n";
  if (::ftruncate(lock.descriptor_, 0) != 0 || ::pwrite(lock.descriptor_, owner.data(), owner.size(), 0) < 0) errno = 0;
  return lock;
}

WriterLock::~WriterLock() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool has_writer(const std::filesystem::path& store) {
  const int descriptor = ::open(lock_beside(store).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return false;
  struct flock whole = lock_of_all();
  const bool is_locked = ::fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
  ::close(descriptor);
  return is_locked;
}

}  // namespace culprit
