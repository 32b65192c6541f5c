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

constexpr std::size_t user = 11;  // fields 14 to 17 of proc(5), counted from the third
constexpr std::size_t waited_for = 13;
constexpr int deepest = 20;  // children of children: more are nobody's honest work

double seconds_of(const std::vector<std::string>& fields, std::size_t first) {
  if (fields.size() <= first + 1) return 0;
  const double ticks = number<double>(fields[first]) + number<double>(fields[first + 1]);
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

/// Children are those of a thread.
std::vector<pid_t> children_of(pid_t pid) {
  std::vector<pid_t> children;
  const std::string tasks = "/proc/" + std::to_string(pid) + "/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(tasks.c_str()), ::closedir);
  while (const dirent* entry = folder ? ::readdir(folder.get()) : nullptr) {
    if (number<pid_t>(entry->d_name) <= 0) continue;
    for (const std::string& child : split(trim(read_small(tasks + "/" + entry->d_name + "/children")), ' '))
      if (const auto id = number<pid_t>(child); id > 0) children.push_back(id);
  }
  return children;
}

void add_usage(pid_t pid, int depth, ProcessUsage& sum) {
  const auto own = usage_of(pid);
  if (!own) return;
  sum.cpu_seconds += own->cpu_seconds + seconds_of(stat_of(std::to_string(pid)), waited_for);
  sum.resident_bytes += own->resident_bytes;
  if (depth >= deepest) return;
  for (const pid_t child : children_of(pid)) add_usage(child, depth + 1, sum);
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
  const auto fields = stat_of(std::to_string(pid));
  if (fields.size() <= user + 1) return std::nullopt;
  const auto memory = split(read_small("/proc/" + std::to_string(pid) + "/statm"), ' ');
  const auto pages = memory.size() > 1 ? number<std::uint64_t>(memory[1]) : 0;
  return ProcessUsage{seconds_of(fields, user), pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE))};
}

std::optional<ProcessUsage> usage_with_children(pid_t pid) {
  if (!usage_of(pid)) return std::nullopt;
  ProcessUsage sum;
  add_usage(pid, 0, sum);
  return sum;
}

void kill_children(pid_t pid) {
  for (int round = 0; round < deepest; ++round) {  // what forks while it is killed is met in the next
    bool found = false;
    for (const pid_t child : children_of(pid)) {
      const auto fields = stat_of(std::to_string(child));
      if (fields.empty() || fields[0] == "Z" || fields[0] == "X") continue;
      kill_children(child);
      found |= ::kill(child, SIGKILL) == 0;
    }
    if (!found) return;
  }
}

void kill_session(pid_t leader) {
  constexpr int most_rounds = 1000;  // what forks faster than this cannot be caught this way
  for (int round = 0; round < most_rounds && kill_once(leader); ++round) ::usleep(round < 10 ? 200 : 2000);
}

}  // namespace culprit
