#pragma once
// What somebody should know before they believe a number of a profile. Each is a warning, or nothing.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "profile/time_plan.h"
#include "record/profile.h"
#include "record/warning.h"

namespace culprit {

/// So many times as long as a timed run may one with the runtime's profiler take before its nodes are doubted.
inline constexpr double most_slowed = 2;

/// `profiler_slows_run`: with the profiler on, a run takes, without what it waited for a CPU, more than `most_slowed`
/// times what the timed one takes, so the shares of nodes are more of telling than of work. `seconds_of_run`: the
/// median of the timed runs; 0: none.
std::optional<Warning> profiler_slows_run(const NodeTimes& times, double seconds_of_run);

/// `nodes_waited`: too few runs of the profile did not wait for a CPU, so that nodes' times hold waiting.
std::optional<Warning> nodes_waited(const NodeTimes& times);

/// What the time did not do for.
struct Unfinished {
  double budget = 0;                                             ///< seconds; 0: there was none, but for --blame
  std::vector<std::string> unsure = {};                          ///< rows of which nobody can tell yet
  bool is_at_edge = false;                                       ///< no time is known to tell of one of them
  std::map<Beside, std::vector<std::string>> not_measured = {};  ///< rows, by what was left out
  std::vector<std::string> open_blames = {};                     ///< rows whose steps are not known yet
  double needed = 0;  ///< --budget that does for all of it, about, in seconds
};

/// `budget_spent`: what of it is left, and which --budget would do. Nothing where nothing is left.
std::optional<Warning> budget_spent(const Unfinished& unfinished);

}  // namespace culprit
