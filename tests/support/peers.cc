#include "support/peers.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <cstdlib>

namespace culprit::testing {

namespace fs = std::filesystem;

fs::path peers_python() {
  const char* cache = std::getenv("CULPRIT_CACHE");
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  const char* home = std::getenv("HOME");
  const fs::path root = cache != nullptr ? fs::path(cache)
                        : xdg != nullptr ? fs::path(xdg) / "culprit"
                                         : fs::path(home == nullptr ? "/" : home) / ".cache" / "culprit";
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
