#include "profile/cautions.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_named = 6;

}  // namespace

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
  std::vector<std::string> named;
  for (std::size_t i = 0; i < std::min(unsure_rows.size(), most_named); ++i)
    named.push_back("'" + printable(unsure_rows[i], 60) + "'");
  std::string rows = join(named, ", ");
  if (unsure_rows.size() > most_named) rows += fmt::format(" and {} more", unsure_rows.size() - most_named);
  return Warning{"budget_spent",
                 fmt::format("the time ({:g} s) was spent before {} sure: {}; --budget {:g}s gives more", seconds,
                             unsure_rows.size() == 1 ? "this row was" : "these rows were", rows, 2 * seconds)};
}

}  // namespace culprit
