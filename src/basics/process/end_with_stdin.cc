#include "process/end_with_stdin.h"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace culprit {

void end_with_stdin_if_asked() {
  if (std::getenv(ends_with_stdin_name) == nullptr) return;
  ::unsetenv(ends_with_stdin_name);
  // The system signals the owner of a pipe when its other end is closed.
  ::fcntl(STDIN_FILENO, F_SETOWN, ::getpid());
  ::fcntl(STDIN_FILENO, F_SETSIG, SIGTERM);
  ::fcntl(STDIN_FILENO, F_SETFL, ::fcntl(STDIN_FILENO, F_GETFL) | O_ASYNC);
  pollfd closed{STDIN_FILENO, 0, 0};
  if (::poll(&closed, 1, 0) > 0) std::raise(SIGTERM);  // it was closed before
}

}  // namespace culprit
