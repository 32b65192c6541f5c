#include "support/tool.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace culprit::testing {
namespace {

std::string slurp(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ran start(const std::vector<std::string>& arguments, const fs::path& folder, const fs::path& binary = CULPRIT_BINARY) {
  const std::string out = folder / "stdout", err = folder / "stderr";
  std::vector<std::string> words{binary};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    dup2(open("/dev/null", O_RDONLY), 0);
    dup2(open(out.c_str(), O_WRONLY | O_CREAT, 0600), 1);
    dup2(open(err.c_str(), O_WRONLY | O_CREAT, 0600), 2);
    if (chdir(folder.c_str()) == 0) execv(binary.c_str(), argv.data());
    _exit(127);
  }
  Ran ran;
  ran.exit = wait_for(child);
  ran.out = slurp(out);
  ran.err = slurp(err);
  return ran;
}

std::string recompute(const fs::path& report) {
  const fs::path script = fs::path(CULPRIT_SOURCE) / "tests" / "schema" / "recompute.py";
  const std::string command = "/usr/bin/python3 -SE '" + script.string() + "' '" + report.string() + "' 2>&1";
  std::string said;
  FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "cannot start python3";
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said += static_cast<char>(c);
  return pclose(pipe) == 0 && said.empty() ? "" : "does not follow: " + said;
}

}  // namespace

TemporaryFolder scratch() {
  auto folder = TemporaryFolder::create(fs::temp_directory_path(), "culprit-test-");
  if (!folder) throw std::runtime_error(folder.error().text());
  return std::move(*folder);
}

std::string on_one_line(const std::string& text) {
  std::string line;
  for (const char c : text) {
    const bool is_space = c == ' ' || c == '\n';
    if (!is_space || (!line.empty() && line.back() != ' ')) line += is_space ? ' ' : c;
  }
  return line;
}

Ran culprit(const std::vector<std::string>& arguments) {
  const auto folder = scratch();
  return start(arguments, folder.path());
}

Ran culprit_check(std::vector<std::string> arguments, const fs::path& binary) {
  const auto folder = scratch();
  arguments.insert(arguments.begin(), "check");
  arguments.insert(arguments.end(), {"--no-repro", "--run-dir", folder.path() / "run"});
  Ran ran = start(arguments, folder.path(), binary.empty() ? CULPRIT_BINARY : binary);
  const fs::path report = folder.path() / "run" / "report.json";
  if (!fs::exists(report)) return ran;
  ran.report = nlohmann::json::parse(slurp(report));
  ran.does_not_follow = recompute(report);
  return ran;
}

std::string recompute(const nlohmann::json& report) {
  const auto folder = scratch();
  const fs::path file = folder.path() / "report.json";
  std::ofstream(file) << report;
  return recompute(file);
}

fs::path zoo() {
  const char* named = std::getenv("CULPRIT_ZOO");
  const fs::path folder = named != nullptr ? fs::path(named) : fs::path(CULPRIT_SOURCE) / ".." / "shared" / "zoo";
  return fs::exists(folder / "models") ? fs::weakly_canonical(folder) : fs::path();
}

}  // namespace culprit::testing
