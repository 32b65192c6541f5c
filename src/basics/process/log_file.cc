#include "process/log_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "base/text.h"

namespace culprit {
namespace {

constexpr off_t most_kept = 4096;
constexpr off_t huge_log = off_t{16} << 20;

off_t size_of(int fd) {
  struct stat status {};
  return ::fstat(fd, &status) == 0 ? status.st_size : 0;
}

}  // namespace

/// Without a name from the start where the file system can do that, so that a process that is killed here leaves none.
Result<LogFile> LogFile::create(const std::filesystem::path& folder) {
  constexpr mode_t own = 0600;
  Fd unnamed(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_APPEND | O_CLOEXEC, own));
  if (unnamed.valid()) return LogFile(std::move(unnamed));
  std::string name = (folder / "log-XXXXXX").string();
  Fd fd(::mkostemp(name.data(), O_APPEND | O_CLOEXEC));  // appending: it may be cut short while somebody writes
  if (!fd.valid())
    return fail(ErrorKind::io, "cannot make a log file in " + folder.string() + ": " + std::strerror(errno));
  ::unlink(name.c_str());
  return LogFile(std::move(fd));
}

std::string LogFile::last_words() const {
  const off_t size = size_of(fd_.get());
  std::string words(static_cast<std::size_t>(std::min(size, most_kept)), '\0');
  const ssize_t got = ::pread(fd_.get(), words.data(), words.size(), size - static_cast<off_t>(words.size()));
  words.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
  return printable(words, static_cast<std::size_t>(most_kept), false);
}

void LogFile::clear() {
  if (size_of(fd_.get()) > 0 && ::ftruncate(fd_.get(), 0) != 0) fd_.close();
}

void LogFile::keep_small() {
  if (size_of(fd_.get()) > huge_log) clear();
}

}  // namespace culprit
