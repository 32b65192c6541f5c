#include "process/shell_commands.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <list>
#include <thread>

#include "base/stopwatch.h"

namespace culprit {
namespace {

constexpr auto pause = std::chrono::milliseconds(3);

/// A command under way; killed with its group when it goes out of scope.
class Shell {
 public:
  Shell(const ShellRun& run, std::size_t number) : number_(number) {
    const std::string command = run.command, folder = run.folder.string();  // nothing is allocated in the child
    pid_ = fork();
    if (pid_ == 0) become(command.c_str(), folder.c_str());
  }
  Shell(const Shell&) = delete;
  Shell& operator=(const Shell&) = delete;
  ~Shell() {
    if (pid_ <= 0) return;
    kill(-pid_, SIGKILL);
    if (!ended_) kill(pid_, SIGKILL);  // before it leads a group
    while (!ended_ && waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

  [[nodiscard]] std::size_t number() const { return number_; }
  [[nodiscard]] int status() const { return status_; }
  [[nodiscard]] bool is_started() const { return pid_ > 0; }

  bool is_over(double seconds) {
    if (pid_ <= 0) return true;
    int status = 0;
    const pid_t waited = waitpid(pid_, &status, WNOHANG);
    ended_ = waited == pid_ || (waited < 0 && errno != EINTR);
    if (waited == pid_ && WIFEXITED(status)) status_ = WEXITSTATUS(status);
    return ended_ || watch_.seconds() > seconds;
  }

 private:
  [[noreturn]] static void become(const char* command, const char* folder) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);  // also of what it becomes by exec
    setsid();
    const int nothing = open("/dev/null", O_RDWR);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nothing, stream);
    if (nothing > STDERR_FILENO) close(nothing);
    std::signal(SIGPIPE, SIG_DFL);
    if (chdir(folder) == 0) execl("/bin/sh", "sh", "-c", command, static_cast<char*>(nullptr));
    _exit(127);
  }

  std::size_t number_;
  Stopwatch watch_;
  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = -1;
};

}  // namespace

Result<std::vector<int>> run_in_shell(const std::vector<ShellRun>& runs, const ShellLimits& limits) {
  std::vector<int> statuses(runs.size(), -1);
  std::list<Shell> running;
  for (std::size_t next = 0; next < runs.size() || !running.empty();) {
    if (limits.is_interrupted && limits.is_interrupted()) return fail(ErrorKind::interrupted, "interrupted");
    while (next < runs.size() && running.size() < std::max<std::size_t>(limits.jobs, 1)) {
      running.emplace_back(runs[next], next);
      if (!running.back().is_started())
        return fail(ErrorKind::io, std::string("cannot start a shell: ") + std::strerror(errno));
      ++next;
    }
    const std::size_t before = running.size();
    running.remove_if([&](Shell& shell) {
      if (!shell.is_over(limits.seconds)) return false;
      statuses[shell.number()] = shell.status();
      return true;
    });
    if (running.size() == before) std::this_thread::sleep_for(pause);
  }
  return statuses;
}

}  // namespace culprit
