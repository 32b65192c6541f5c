#pragma once
// What the system knows of the memory of this process.

#include <cstdint>
#include <filesystem>
#include <optional>

namespace culprit {

/// The largest resident size that this process has had since it was started or forked, in bytes; 0 where the system
/// does not tell. Not getrusage's: that hands down the size of whoever started the process.
std::uint64_t peak_resident_bytes();
/// The bytes of this process that are in memory now.
std::uint64_t resident_bytes();
/// From now on `peak_resident_bytes` tells of what comes. Where the system does not let us, nothing changes.
void forget_peak_resident_bytes();

/// The least limit of memory that a cgroup sets (version 1 or 2: "limit_in_bytes", "max") along the path from this
/// process' own one up to the root, in bytes; nullopt where none does. In a container the path is often one of outside;
/// what lies at the root of the mount is then the container's. `root` stands for "/".
/// https://docs.kernel.org/admin-guide/cgroup-v2.html
std::optional<std::uint64_t> cgroup_memory_limit(const std::filesystem::path& root = "/");

/// Bytes of physical memory.
std::uint64_t physical_memory();
/// What all our processes may use together: the physical memory, or less where a cgroup says so.
std::uint64_t usable_memory();

}  // namespace culprit
