#include "base/open_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "base/text.h"

namespace culprit {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

Result<void> check_regular(const std::filesystem::path& path, const struct stat& facts) {
  if (S_ISREG(facts.st_mode)) return {};
  return fail(ErrorKind::bad_input,
              "cannot read " + printable(path.native()) + ": it is " + kind_of(facts.st_mode) + ", not a file",
              "name a regular file");
}

const char* hint_for(int error_number) {
  switch (error_number) {
    case ENOENT:
    case ENOTDIR:
      return "check the spelling, and that the folder is the right one";
    case EACCES:
    case EPERM:
      return "check its permissions, and those of the folders above it";
    case ENOSPC:
    case EDQUOT:
      return "free some space, or choose another place";
    case EROFS:
      return "choose a place that can be written";
    case EFBIG:
      return "raise the limit on file sizes (ulimit -f), or choose another place";
    case EMFILE:
    case ENFILE:
      return "raise the limit on open files (ulimit -n)";
    default:
      return "";
  }
}

}  // namespace

tl::unexpected<Error> system_failure(const char* doing, const std::filesystem::path& path, int error_number) {
  const bool missing = error_number == ENOENT || error_number == ENOTDIR;
  const bool forbidden = error_number == EACCES || error_number == EPERM || error_number == EROFS;
  return fail(missing     ? ErrorKind::not_found
              : forbidden ? ErrorKind::usage
                          : ErrorKind::io,
              std::string("cannot ") + doing + " " + printable(path.native()) + ": " +
                  std::generic_category().message(error_number),
              hint_for(error_number));
}

Result<void> check_path(const std::filesystem::path& path) {
  if (path.empty()) return fail(ErrorKind::bad_input, "a file name is empty", "name a file");
  if (path.native().find('\0') != std::string::npos) {
    return fail(ErrorKind::bad_input, "the file name " + printable(path.native()) + " contains a NUL byte");
  }
  return {};
}

Result<OpenFile> OpenFile::open(const std::filesystem::path& path) {
  if (auto usable = check_path(path); !usable) return tl::unexpected(usable.error());
  // Asked before opening, because opening some devices already does something; and after, because it may have been
  // replaced.
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return system_failure("read", path, errno);
  if (auto regular = check_regular(path, facts); !regular) return tl::unexpected(regular.error());
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return system_failure("read", path, errno);
  OpenFile file(descriptor, 0, path);
  if (::fstat(descriptor, &facts) != 0) return system_failure("read", path, errno);
  if (auto regular = check_regular(path, facts); !regular) return tl::unexpected(regular.error());
  file.size_ = static_cast<std::uint64_t>(facts.st_size);
  return file;
}

OpenFile::OpenFile(OpenFile&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), path_(std::move(other.path_)) {}

OpenFile::~OpenFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

Result<std::size_t> OpenFile::read(char* into, std::size_t wanted) const {
  constexpr std::size_t one_call = std::size_t{1} << 30;  // Linux reads at most 2 GiB at a time
  while (true) {
    const auto got = ::read(descriptor_, into, std::min(wanted, one_call));
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) return system_failure("read", path_, errno);
  }
}

}  // namespace culprit
