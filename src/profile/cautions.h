#pragma once
// What somebody should know before they believe a number of a profile. Each is a warning, or nothing.

#include <optional>
#include <string>
#include <vector>

#include "record/profile.h"

namespace culprit {

/// So many times as long as a timed run may one with the runtime's profiler take before its nodes are doubted.
inline constexpr double most_slowed = 2;

/// `profiler_slows_run`: with the profiler on, a run takes more than `most_slowed` times what the timed one takes, so
/// the shares of nodes are more of telling than of work. `seconds_of_run`: the median of the timed runs; 0: none.
std::optional<Warning> profiler_slows_run(const NodeTimes& times, double seconds_of_run);

/// `budget_spent`: the time ended the measuring, and of these rows nobody can tell yet. `seconds` is what --budget was.
std::optional<Warning> budget_spent(const std::vector<std::string>& unsure_rows, double seconds);

}  // namespace culprit
