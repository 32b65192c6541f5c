#include "process/run_program.h"

#include <fcntl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/text.h"
#include "process/file_descriptor.h"
#include "process/how_it_ended.h"
#include "process/process_table.h"
#include "process/start_child.h"

namespace culprit {
namespace {

constexpr rlim_t largest_file = rlim_t{16} << 30;

void write_text(const char* file, std::string_view text) {
  const Fd fd(::open(file, O_WRONLY | O_CLOEXEC));
  if (fd.valid() && ::write(fd.get(), text.data(), text.size()) < 0) return;  // then users are as they were
}

/// A network of its own, in which there is nothing. Who is not root needs users of its own for it, and stays who it is.
bool leave_the_network() {
  if (::unshare(CLONE_NEWNET) == 0) return true;
  const std::string user = std::to_string(::getuid());
  const std::string group = std::to_string(::getgid());
  if (::unshare(CLONE_NEWUSER | CLONE_NEWNET) != 0) return false;
  write_text("/proc/self/setgroups", "deny");
  write_text("/proc/self/uid_map", user + " " + user + " 1");
  write_text("/proc/self/gid_map", group + " " + group + " 1");
  return true;
}

/// What it reads and where it writes; an error's number, or 0.
int take_streams(const ProgramCall& call) {
  const auto [in, out] = call.streams;
  if (in >= 0 && ::dup2(in, STDIN_FILENO) < 0) return errno;
  if (out >= 0 && ::dup2(out, STDOUT_FILENO) < 0) return errno;
  if (out >= 0) ::setenv("PYTHONUNBUFFERED", "1", 0);  // else whoever waits for a line of it waits in vain
  if (in < 0) {
    const Fd nothing(::open("/dev/null", O_RDONLY | O_CLOEXEC));
    if (nothing.valid()) ::dup2(nothing.get(), STDIN_FILENO);
  }
  if (call.output.empty()) return 0;
  const Fd output(::open(call.output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  return output.valid() && ::dup2(output.get(), STDOUT_FILENO) >= 0 ? 0 : errno;
}

/// The child, up to the program. What went wrong is told by its number; nothing comes back where it started.
int become(const ProgramCall& call, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // also of the program itself
  if (::getppid() != parent) ::_exit(1);
  const rlimit files{largest_file, largest_file};
  ::setrlimit(RLIMIT_FSIZE, &files);
  std::signal(SIGPIPE, SIG_DFL);
  if (const int error = take_streams(call); error != 0) return error;
  if (::chdir(call.folder.c_str()) != 0) return errno;
  ::setenv("TMPDIR", call.folder.c_str(), 1);
  ::setenv("PYTHONHASHSEED", "0", 0);  // else the order of a set, and what hangs on it, is another one in each call
  if (!call.may_use_network) leave_the_network();
  std::vector<char*> words;
  words.reserve(call.words.size() + 1);
  for (const std::string& word : call.words) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  ::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);  // also what whoever started us left open
  ::execvp(words.front(), words.data());
  return errno;
}

/// 0 where the program started: then its end of the pipe was closed by that.
int heard_from(int pipe) {
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(pipe, &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  return got == sizeof error ? error : 0;
}

Error cannot_start(const std::string& program, const std::string& why) {
  return {ErrorKind::io, "cannot start '" + program + "': " + why, ""};
}

}  // namespace

Result<int> run_program(const ProgramCall& call) {
  if (call.words.empty()) return fail(ErrorKind::internal, "a program without a name");
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return tl::unexpected(cannot_start(call.words[0], std::strerror(errno)));
  const Fd ours(ends[0]);
  Fd theirs(ends[1]);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);  // what it leaves behind becomes ours
  const pid_t self = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) return tl::unexpected(cannot_start(call.words[0], std::strerror(errno)));
  if (pid == 0) {
    const int error = become(call, self);
    const bool is_told = ::write(theirs.get(), &error, sizeof error) == sizeof error;
    ::_exit(is_told ? 127 : 126);
  }
  theirs.close();
  for (const int stream : {call.streams.in, call.streams.out})
    if (stream >= 0) ::close(stream);
  const int error = heard_from(ours.get());
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  kill_children(self);
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  if (error != 0) return tl::unexpected(cannot_start(call.words[0], std::strerror(error)));
  return status;
}

bool can_start(const std::string& program) {
  const auto is_program = [](const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  };
  if (program.find('/') != std::string::npos) return is_program(program);
  const char* path = std::getenv("PATH");
  const auto folders = split(path == nullptr ? "/bin:/usr/bin" : path, ':');
  return std::ranges::any_of(folders, [&](const std::string& folder) {
    return is_program(std::filesystem::path(folder.empty() ? "." : folder) / program);
  });
}

Result<Failure> end_of_program(const ProgramCall& call, const std::filesystem::path& scratch, const Limits& limits,
                               const Stop& stop) {
  std::string message;
  const auto body = [&](Channel& channel) { channel.send_now(word_of_end(run_program(call))); };
  auto child = start_fork(body, scratch, limits);
  if (!child) return tl::unexpected(child.error());
  while (!child->over()) {
    if (is_stopped(stop)) return ended_early();
    wait_for({&*child}, {}, child->milliseconds());
    child->check_limits();
  }
  const auto told = child->channel().next();
  Failure end = child->bury();
  if (!told) return end;
  std::string words = std::move(end.last_words);
  end = end_of_word(*told);
  end.last_words = std::move(words);
  return end;
}

std::string word_of_end(const Result<int>& status) {
  return status ? std::to_string(*status) : "-" + status.error().text();
}

Failure end_of_word(const std::string& word) {
  if (word.starts_with("-")) return {Ending::threw, word.substr(1), ""};
  const int status = std::atoi(word.c_str());
  return status == 0 ? Failure{} : failure_of_status(status, std::nullopt);
}

bool network_can_be_taken_away() {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(leave_the_network() ? 0 : 1);
  int status = 1;
  while (pid > 0 && ::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
  return pid > 0 && status == 0;
}

}  // namespace culprit
