#pragma once
// How long a step of a run may take: loading the model, or one sample.

#include <cstddef>

#include "executor/executor.h"

namespace culprit {

/// Step 0 is the start of the runtime and the loading of the model, step n is sample n - 1. Where it is known how long
/// the original takes, a step may take 10 times as long, and at least 10 seconds, but no longer than the job's own
/// limit, if it has one: a fixed number of seconds would pass a variant that takes 118 and blame one that takes 121.
Limits limits_of_step(const RunJob& job, std::size_t step);

/// The sum over all steps; 0: no limit.
double seconds_for_all(const RunJob& job);

/// The job's own limit ends this step before it took 10 times as long as the original: that tells nothing of it.
bool is_cut_short(const RunJob& job, std::size_t step);

}  // namespace culprit
