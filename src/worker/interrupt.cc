// A signal handler can reach nothing but statics: the one place where they are allowed.
#include "worker/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>

#include "worker/pool.h"

namespace culprit {
namespace {

std::atomic<bool> requested{false};
std::atomic<int> read_end{-1};
std::atomic<int> write_end{-1};
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

extern "C" void on_interrupt(int /*signal*/) {
  const int saved = errno;
  requested = true;
  [[maybe_unused]] const ssize_t ignored = ::write(write_end, "i", 1);
  errno = saved;
}

}  // namespace

void watch_interrupts() {
  if (read_end >= 0) return;
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC | O_NONBLOCK) == 0) {
    write_end = ends[1];
    read_end = ends[0];
  }
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigemptyset(&action.sa_mask);
  action.sa_flags =
      static_cast<int>(SA_RESTART | SA_RESETHAND);  // a second one ends us at once; our children then die with us
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);  // nohup ignores it, and means it
}

bool interrupt_requested() { return requested; }

int interrupt_fd() { return read_end; }

}  // namespace culprit
