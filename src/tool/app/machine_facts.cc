#include "app/machine_facts.h"

#include <sched.h>
#include <sys/utsname.h>

#include <algorithm>
#include <fstream>

#include "base/memory.h"
#include "base/text.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

/// The value behind the first line that begins with `key`, up to its separator; "" where there is none.
std::string value_in(const fs::path& file, std::string_view key, char separator) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    const auto at = line.find(separator);
    if (at != std::string::npos && trim(std::string_view(line).substr(0, at)) == key)
      return std::string(trim(std::string_view(line).substr(at + 1)));
  }
  return "";
}

std::string operating_system() {
  std::string name = value_in("/etc/os-release", "PRETTY_NAME", '=');
  name.erase(std::remove(name.begin(), name.end(), '"'), name.end());
  utsname kernel{};
  if (uname(&kernel) != 0) return name;
  return (name.empty() ? "" : name + ", ") + kernel.sysname + " " + kernel.release;
}

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  return std::max(1, CPU_COUNT(&set));
}

}  // namespace

Machine this_machine() {
  Machine machine;
  machine.cpu = value_in("/proc/cpuinfo", "model name", ':');
  if (machine.cpu.empty()) machine.cpu = "unknown";
  machine.os = operating_system();
  machine.cores = usable_cores();
  machine.memory = physical_memory();
  machine.memory_limit = cgroup_memory_limit();
  if (machine.memory_limit && *machine.memory_limit >= machine.memory) machine.memory_limit.reset();  // no limit
  return machine;
}

std::size_t jobs_at_once(int asked) { return static_cast<std::size_t>(asked > 0 ? asked : this_machine().cores); }

std::optional<std::uint64_t> free_disk(const fs::path& folder) {
  std::error_code error;
  fs::path existing = fs::absolute(folder, error);
  while (!existing.empty() && !fs::exists(existing, error) && existing != existing.root_path())
    existing = existing.parent_path();
  const fs::space_info space = fs::space(existing, error);
  if (error) return std::nullopt;
  return space.available;
}

fs::path own_program() {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  return error ? fs::path("/proc/self/exe") : program;
}

}  // namespace culprit
