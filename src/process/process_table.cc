#include "process/process_table.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <csignal>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "process/file_descriptor.h"

namespace culprit {
namespace {

std::string read_small(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::array<char, 1024> bytes;
  const ssize_t got = fd.valid() ? ::read(fd.get(), bytes.data(), bytes.size()) : -1;
  return got > 0 ? std::string(bytes.data(), static_cast<std::size_t>(got)) : std::string();
}

/// Fields of /proc/<pid>/stat from the third on (state, parent, group, session, ...): the second is a name that may
/// hold anything.
std::vector<std::string> stat_of(const std::string& pid) {
  const std::string text = read_small("/proc/" + pid + "/stat");
  const auto end_of_name = text.rfind(')');
  if (end_of_name == std::string::npos || end_of_name + 2 > text.size()) return {};
  return split(std::string_view(text).substr(end_of_name + 2), ' ');
}

template <class Number>
Number number(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

/// Kills what is found alive; false: nothing was.
bool kill_once(pid_t leader) {
  const std::unique_ptr<DIR, int (*)(DIR*)> proc(::opendir("/proc"), ::closedir);
  bool found = false;
  while (const dirent* entry = proc ? ::readdir(proc.get()) : nullptr) {
    const auto pid = number<pid_t>(entry->d_name);
    if (pid <= 1) continue;
    const auto fields = stat_of(entry->d_name);
    if (fields.size() < 4 || number<pid_t>(fields[3]) != leader || fields[0] == "Z" || fields[0] == "X") continue;
    found |= ::kill(pid, SIGKILL) == 0;
  }
  return found;
}

}  // namespace

std::optional<ProcessUsage> usage_of(pid_t pid) {
  constexpr std::size_t kUser = 11;  // fields 14 and 15 of proc(5), counted from the third
  constexpr std::size_t kSystem = 12;
  const auto fields = stat_of(std::to_string(pid));
  if (fields.size() <= kSystem) return std::nullopt;
  const double ticks = number<double>(fields[kUser]) + number<double>(fields[kSystem]);
  const auto memory = split(read_small("/proc/" + std::to_string(pid) + "/statm"), ' ');
  const auto pages = memory.size() > 1 ? number<std::uint64_t>(memory[1]) : 0;
  return ProcessUsage{ticks / static_cast<double>(::sysconf(_SC_CLK_TCK)),
                      pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))};
}

void kill_session(pid_t leader) {
  constexpr int kRounds = 1000;  // what forks faster than this cannot be caught this way
  for (int round = 0; round < kRounds && kill_once(leader); ++round) ::usleep(round < 10 ? 200 : 2000);
}

}  // namespace culprit
