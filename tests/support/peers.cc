#include "support/peers.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace culprit::testing {

namespace fs = std::filesystem;

namespace {

/// The value of a variable; "" where it is not set.
std::string of_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

/// As scripts/setup finds it.
fs::path cache_folder() {
  if (const std::string cache = of_environment("CULPRIT_CACHE"); !cache.empty()) return cache;
  if (const std::string xdg = of_environment("XDG_CACHE_HOME"); !xdg.empty()) return fs::path(xdg) / "culprit";
  return fs::path("/") / of_environment("HOME") / ".cache" / "culprit";
}

}  // namespace

fs::path network(const std::string& package, const std::string& file) {
  std::error_code none;
  for (fs::directory_iterator entry(cache_folder() / "models", none), end; !none && entry != end; entry.increment(none))
    if (entry->path().filename().string().starts_with(package + "-") && fs::exists(entry->path() / file))
      return entry->path() / file;
  return {};
}

fs::path peers_python() {
  const fs::path root = cache_folder();
  const fs::path python = root / "peers" / "bin" / "python";
  return fs::exists(root / "peers" / ".complete") && fs::exists(python) ? python : fs::path();
}

std::pair<int, std::string> run_python(const fs::path& python, const fs::path& script) {
  const std::string command = "'" + python.string() + "' '" + script.string() + "' 2>&1";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {-1, "cannot start a shell"};
  std::string said;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    said.append(buffer.data(), got);
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, said};
}

}  // namespace culprit::testing
