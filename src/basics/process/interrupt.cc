// A signal handler can reach nothing but statics: the one place where they are allowed.
#include "process/interrupt.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <ctime>

namespace culprit {
namespace {

std::atomic<bool> requested{false};
std::atomic<int> read_end{-1};
std::atomic<int> write_end{-1};
std::atomic<std::int64_t> first_at{0};  // milliseconds
static_assert(std::atomic<int>::is_always_lock_free && std::atomic<bool>::is_always_lock_free &&
              std::atomic<std::int64_t>::is_always_lock_free);

std::int64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return std::int64_t{time.tv_sec} * 1000 + time.tv_nsec / 1'000'000;
}

/// A second one ends us at once; our children then die with us. But what comes together with the first is the same one:
/// `timeout` signals its child, and then the whole group.
extern "C" void on_interrupt(int signal) {
  constexpr std::int64_t the_same = 300;  // milliseconds
  const int saved = errno;
  if (requested && now() - first_at > the_same) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
  if (!requested) first_at = now();
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
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGINT, &action, nullptr);
  ::sigaction(SIGTERM, &action, nullptr);
  struct sigaction hangup {};
  ::sigaction(SIGHUP, nullptr, &hangup);
  if (hangup.sa_handler != SIG_IGN) ::sigaction(SIGHUP, &action, nullptr);  // nohup ignores it, and means it
}

bool interrupt_requested() { return requested; }

int interrupt_fd() { return read_end; }

}  // namespace culprit
