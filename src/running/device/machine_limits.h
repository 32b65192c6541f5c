#pragma once
// What the CPUs can do at most, for a roofline (Williams, Waterman and Patterson, 2009): operations a second on numbers
// that lie in registers, and bytes a second from memory and to it. Both are measured, by loops of our own, in about a
// second. It keeps all asked-for threads busy, so it is to be run where nothing else is timed.

#include <cstdint>

#include "record/profile.h"

namespace culprit {

/// The best of several short rounds each, with so many threads, at least 1. The memory that it takes for a moment is
/// twice the largest cache, 64 MiB to 1 GiB, and never more than a quarter of what there is.
MachineLimits measure_limits(std::int64_t threads);

}  // namespace culprit
