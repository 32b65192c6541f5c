#include "profile/cautions.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/text.h"
#include "profile/named_rows.h"

namespace culprit {

std::optional<Warning> profiler_slows_run(const NodeTimes& times, double seconds_of_run) {
  const double profiled = times.run_seconds - times.waited_seconds;
  if (seconds_of_run <= 0 || profiled <= most_slowed * seconds_of_run) return std::nullopt;
  return Warning{
      "profiler_slows_run",
      fmt::format("with the runtime's profiler on a run takes {:.1f} times as long as without: the times and "
                  "shares of nodes are mostly what telling them costs, so do not go by them",
                  profiled / seconds_of_run)};
}

std::optional<Warning> nodes_waited(const NodeTimes& times) {
  if (times.waited_seconds <= 0) return std::nullopt;
  return Warning{"nodes_waited",
                 fmt::format("other programs held the CPU for {:.0f} % of each run with the profiler on, and the times "
                             "of nodes hold that; end them, or measure when the machine is quiet",
                             100 * times.waited_seconds / std::max(times.run_seconds, times.waited_seconds))};
}

namespace {

const char* words_of(Beside what) {
  switch (what) {
    case Beside::memory:
      return "the memory of ";
    case Beside::optimizing:
      return "the time of optimizing of ";
    case Beside::nodes:
      return "the nodes of ";
    case Beside::limits:
      return "the machine's limits";
    case Beside::devices:
      break;
  }
  return "the devices under ";
}

}  // namespace

std::optional<Warning> budget_spent(const Unfinished& unfinished) {
  std::vector<std::string> open;
  if (!unfinished.unsure.empty())
    open.push_back(
        fmt::format("{} {} sure", named_rows(unfinished.unsure), unfinished.unsure.size() == 1 ? "was" : "were"));
  for (const auto& [what, rows] : unfinished.not_measured)
    open.push_back(words_of(what) + (what == Beside::limits ? "" : named_rows(rows)) + " could be measured");
  if (!unfinished.open_blames.empty())
    open.push_back("the steps to blame for " + named_rows(unfinished.open_blames) + " were found");
  if (open.empty()) return std::nullopt;
  const std::string time = unfinished.budget > 0 ? fmt::format("the time ({:g} s) was spent", unfinished.budget)
                                                 : std::string("the time that --blame has without --budget was spent");
  std::string needed = fmt::format("about --budget {:g}s is needed for all of it", unfinished.needed);
  if (unfinished.is_at_edge) needed += ", if any time does: a ratio lies at the edge of what is the same";
  return Warning{"budget_spent", fmt::format("{} before {}; {}", time, join(open, ", and before "), needed)};
}

}  // namespace culprit
