#include "base/memory.h"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <string>

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

/// Of the group `below` this mount, and of all that it lies in.
Limit least_above(const fs::path& mount, const fs::path& below, const char* file) {
  Limit limit = limit_in(mount / file);
  fs::path at = mount;
  for (const fs::path& part : below.relative_path()) {
    at /= part;
    limit = least(limit, limit_in(at / file));
  }
  return limit;
}

bool names_memory(const std::string& controllers) {
  return ("," + controllers + ",").find(",memory,") != std::string::npos;
}

/// Of this process, in bytes; 0 where the system does not tell.
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
  const fs::path mounts = root / "sys/fs/cgroup";
  Limit limit;
  std::ifstream groups(root / "proc/self/cgroup");  // lines "4:memory:/a/b"; version 2 is "0::/a/b"
  for (std::string line; std::getline(groups, line);) {
    const auto first = line.find(':');
    const auto second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) {
      for (const char* mount : {".", "unified"}) limit = least(limit, least_above(mounts / mount, path, "memory.max"));
    } else if (names_memory(controllers)) {
      limit = least(limit, least_above(mounts / "memory", path, "memory.limit_in_bytes"));
    }
  }
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
