#include "fuzz/outside.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/file.h"

namespace culprit::fuzz {
namespace {

constexpr const char* mark_name = "CULPRIT_FUZZ_MARK";

/// No model here takes 4 GB in a parent that believes no size in a file.
void limit_memory() {
#ifndef CULPRIT_SANITIZED
  constexpr rlim_t most_memory = rlim_t{4} << 30;
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = std::min(most_memory, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
#endif
}

[[noreturn]] void become(std::vector<char*> argv, const fs::path& folder, const std::string& mark) {
  const auto open_file = [&](const char* name) {
    return open((folder / name).c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  };
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(open_file("stdout"), 1);
  dup2(open_file("stderr"), 2);
  setpgid(0, 0);
  setenv(mark_name, mark.c_str(), 1);
  setenv("TMPDIR", (folder / "tmp").c_str(), 1);
  limit_memory();
  if (chdir(folder.c_str()) == 0) execv(argv[0], argv.data());
  _exit(127);
}

std::string text_of(const fs::path& file) {
  std::string text;
  FILE* const in = std::fopen(file.c_str(), "rb");
  if (in == nullptr) return text;
  for (int c = std::fgetc(in); c != EOF; c = std::fgetc(in)) text += static_cast<char>(c);
  std::fclose(in);
  return text;
}

std::vector<pid_t> marked(const std::string& mark) {
  std::vector<pid_t> found;
  const std::string wanted = std::string(mark_name) + "=" + mark;
  std::error_code ended;  // processes come and go
  for (fs::directory_iterator entry("/proc", ended), end; !ended && entry != end; entry.increment(ended)) {
    const pid_t pid = std::atoi(entry->path().filename().c_str());
    if (pid <= 1 || text_of(entry->path() / "environ").find(wanted) == std::string::npos) continue;
    const std::string stat = text_of(entry->path() / "stat");
    const auto state = stat.rfind(')');
    if (state != std::string::npos && stat.compare(state + 1, 2, " Z") != 0) found.push_back(pid);
  }
  return found;
}

}  // namespace

Ended run_watched(const std::vector<std::string>& words, const fs::path& folder, const std::string& mark,
                  double patience) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  const auto start = std::chrono::steady_clock::now();
  const auto seconds = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
  const pid_t child = fork();
  if (child == 0) become(argv, folder, mark);
  Ended ended;
  int status = 0;
  while (waitpid(child, &status, ended.hung ? 0 : WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ended.hung = seconds() > patience;
    if (ended.hung) kill(child, SIGKILL);
  }
  ended.seconds = seconds();
  ended.exit = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return ended;
}

std::vector<pid_t> left_running(const std::string& mark) {
  constexpr int most_tries = 500;  // of 20 ms
  auto left = marked(mark);
  for (int i = 0; i < most_tries && !left.empty(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    left = marked(mark);
  }
  return left;
}

void kill_all(const std::vector<pid_t>& processes) {
  for (const pid_t process : processes) kill(process, SIGKILL);
}

std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
    found.push_back(fs::relative(entry->path().parent_path(), folder) / entry->path().filename());
  std::sort(found.begin(), found.end());
  return found;
}

std::pair<int, std::string> output_of(const std::string& command) {
  std::string said;
  FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot start " + command};
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, said};
}

}  // namespace culprit::fuzz
