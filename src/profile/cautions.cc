#include "profile/cautions.h"

#include <fmt/format.h>

#include "profile/named_rows.h"

namespace culprit {

std::optional<Warning> profiler_slows_run(const NodeTimes& times, double seconds_of_run) {
  if (seconds_of_run <= 0 || times.run_seconds <= most_slowed * seconds_of_run) return std::nullopt;
  return Warning{
      "profiler_slows_run",
      fmt::format("with the runtime's profiler on a run takes {:.1f} times as long as without: the times and "
                  "shares of nodes are mostly what telling them costs, so do not go by them",
                  times.run_seconds / seconds_of_run)};
}

std::optional<Warning> budget_spent(const std::vector<std::string>& unsure_rows, double seconds) {
  if (unsure_rows.empty()) return std::nullopt;
  return Warning{
      "budget_spent",
      fmt::format("the time ({:g} s) was spent before {} sure: {}; --budget {:g}s gives more", seconds,
                  unsure_rows.size() == 1 ? "this row was" : "these rows were", named_rows(unsure_rows), 2 * seconds)};
}

}  // namespace culprit
