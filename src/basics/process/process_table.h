#pragma once
// What the system knows of processes, read from /proc.

#include <sys/types.h>

#include <cstdint>
#include <optional>

namespace culprit {

struct ProcessUsage {
  double cpu_seconds = 0;  ///< user and system, all threads
  std::uint64_t resident_bytes = 0;
};

std::optional<ProcessUsage> usage_of(pid_t pid);

/// The usage of a process with its children and theirs: those that live, and the CPU time of those that were waited
/// for. Where the system does not tell who is whose child, without those that live.
std::optional<ProcessUsage> usage_with_children(pid_t pid);

/// Kills the children of a process and theirs, whatever groups and sessions they went to; the process itself lives.
void kill_children(pid_t pid);

/// Kills every process of the session that `leader` leads, with their own children and groups, until none is left. The
/// leader must not have been waited for, so that its number still means it.
void kill_session(pid_t leader);

}  // namespace culprit
