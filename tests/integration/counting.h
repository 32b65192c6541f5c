#pragma once
// Where counts taken from outside go: the file named by CULPRIT_TEST_COUNTS gets a line for every event, with the
// process it happened in. Used inside the tool's processes, so it needs nothing of them.

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace culprit::testing {

/// One short line, in one write: lines of several processes do not mix.
inline void count(const char* event) {
  const char* const file = std::getenv("CULPRIT_TEST_COUNTS");
  if (file == nullptr) return;
  char line[80];
  const int length = std::snprintf(line, sizeof line, "%s %d\n", event, static_cast<int>(::getpid()));
  const int fd = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0 || length <= 0 || ::write(fd, line, static_cast<std::size_t>(length)) != length) std::abort();
  ::close(fd);
}

}  // namespace culprit::testing
