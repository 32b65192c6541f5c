#include "store/writer_lock.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <string>
#include <system_error>

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

/// " (process 4711)" for people, or "" where the file does not tell.
std::string owner_in(int descriptor) {
  std::array<char, 20> text{};
  const ssize_t size = ::pread(descriptor, text.data(), text.size(), 0);
  std::string digits;
  for (ssize_t i = 0; i < size && std::isdigit(static_cast<unsigned char>(text[static_cast<std::size_t>(i)])) != 0; ++i)
    digits += text[static_cast<std::size_t>(i)];
  return digits.empty() ? "" : " (process " + digits + ")";
}

}  // namespace

Result<WriterLock> WriterLock::take(const std::filesystem::path& store) {
  const std::filesystem::path path = lock_beside(store);
  WriterLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0644));
  if (lock.descriptor_ < 0) return cannot_lock(path, errno);
  struct flock whole = lock_of_all();
  if (::fcntl(lock.descriptor_, F_OFD_SETLK, &whole) != 0) {
    if (errno != EAGAIN && errno != EACCES) return cannot_lock(path, errno);
    return fail(ErrorKind::usage,
                printable(store.native(), 500) + " is in use by another run" + owner_in(lock.descriptor_),
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
