#pragma once
// What a child process does to itself before it works: the system then ends it in time even if nobody watches.

#include <sys/types.h>

#include "process/failure.h"

namespace culprit {

/// No core dumps; crashes end the process with their own signal; dies with `parent`, and at once if that is gone
/// already. The signal comes when the *thread* that started this process ends, so a pool stays in one thread that lives
/// as long as it.
void tie_to_parent(pid_t parent);

/// From now on: soft limits of address space, and of CPU time as a backstop behind the parent's watch (SIGXCPU).
void limit_process(const Limits& limits);
void unlimit_process();

}  // namespace culprit
