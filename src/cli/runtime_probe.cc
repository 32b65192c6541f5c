#include "cli/runtime_probe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>

#include "base/text.h"
#include "cli/commands/worker.h"

namespace culprit {
namespace {

using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid = -1;
  int output = -1;  ///< reads its stdout and stderr
};

Result<Child> start(const std::filesystem::path& program, const std::filesystem::path& library) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0)
    return fail(ErrorKind::io, fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  std::array<std::string, 4> words{program.string(), "worker", "--probe", library.string()};
  std::array<char*, 5> argv{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  Child child{-1, ends[0]};
  const int error = posix_spawn(&child.pid, program.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) return child;
  close(ends[0]);
  return fail(ErrorKind::io, fmt::format("cannot start {}: {}", program.string(), std::strerror(error)));
}

/// Reads until the child closes its end; false where the time runs out first.
bool read_all(int fd, Clock::time_point deadline, std::string& text) {
  constexpr std::size_t most = 1 << 20;  // a library that prints without end is not worth more
  std::array<char, 4096> buffer{};
  for (;;) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd waiting{fd, POLLIN, 0};
    const int ready = left <= 0 ? 0 : poll(&waiting, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready <= 0) return false;
    const ssize_t got = read(fd, buffer.data(), buffer.size());
    if (got == 0) return true;
    if (got < 0 && errno != EINTR) return true;
    if (got > 0 && text.size() < most) text.append(buffer.data(), static_cast<std::size_t>(got));
  }
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

std::string ending(int status, bool in_time, double seconds) {
  if (!in_time) return fmt::format("did not answer within {}", human_seconds(seconds));
  if (WIFSIGNALED(status)) {
    const char* name = sigabbrev_np(WTERMSIG(status));
    return fmt::format("was killed by SIG{}", name == nullptr ? "?" : name);
  }
  return fmt::format("ended with exit status {}", WEXITSTATUS(status));
}

}  // namespace

Result<std::string> probe_runtime(const std::filesystem::path& program, const std::filesystem::path& library,
                                  double seconds) {
  const auto child = start(program, library);
  if (!child) return tl::unexpected(child.error());
  std::string said;
  const auto deadline = Clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(seconds * 1000));
  const bool in_time = read_all(child->output, deadline, said);
  if (!in_time) kill(child->pid, SIGKILL);
  close(child->output);
  const int status = wait_for(child->pid);

  const auto mark = said.rfind(probe_mark);
  if (in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0 && mark != std::string::npos)
    return printable(trim(std::string_view(said).substr(mark + std::strlen(probe_mark))), 60);
  const std::string words = printable(trim(said), 300);
  if (in_time && WIFEXITED(status) && !words.empty()) return fail(ErrorKind::bad_input, words);
  return fail(ErrorKind::bad_input, fmt::format("the process that loads it {}{}{}", ending(status, in_time, seconds),
                                                words.empty() ? "" : "; it said: ", words));
}

}  // namespace culprit
