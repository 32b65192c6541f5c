#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

#include "base/cgroups.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

using Limit = std::optional<std::uint64_t>;

Limit least(Limit one, Limit other) {
  if (!one || !other) return one ? one : other;
  return std::min(*one, *other);
}

/// "max" is no limit.
Limit limit_in(const fs::path& file) {
  std::string text;
  std::ifstream(file) >> text;
  std::uint64_t limit = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), limit);
  const bool is_number = !text.empty() && error == std::errc() && end == text.data() + text.size();
  return is_number ? Limit(limit) : std::nullopt;
}

/// Reads a size of this process, in bytes; it is 0 where the system does not tell.
std::uint64_t in_own_status(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kilobytes = 0;
    if (word == name) return status >> kilobytes ? kilobytes * 1024 : 0;
  }
  return 0;
}

}  // namespace

std::uint64_t peak_resident_bytes() { return in_own_status("VmHWM:"); }
std::uint64_t resident_bytes() { return in_own_status("VmRSS:"); }

void forget_peak_resident_bytes() {
  std::ofstream("/proc/self/clear_refs") << "5\n";  // proc(5): resets the peak to what is resident now
}

std::optional<std::uint64_t> cgroup_memory_limit(const fs::path& root) {
  Limit limit;
  for (const auto& [folder, version] : cgroup_folders("memory", root))
    limit = least(limit, limit_in(folder / (version == 1 ? "memory.limit_in_bytes" : "memory.max")));
  return limit;
}

std::uint64_t physical_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

std::uint64_t usable_memory() {
  const std::uint64_t physical = physical_memory();
  return std::min(physical, cgroup_memory_limit().value_or(physical));
}

}  // namespace culprit
