#include "process/watch_limits.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

constexpr double idle = 0.1;       // part of the time: who used less CPU than this sleeps rather than works
constexpr double wall_factor = 4;  // a machine may be busy, but not without end

}  // namespace

Watch::Watch(pid_t pid, const Limits& limits, pid_t helper) : pid_(pid), helper_(helper), limits_(limits) {
  if (const auto used = usage()) cpu_at_start_ = used->cpu_seconds;
}

std::optional<ProcessUsage> Watch::usage() const {
  auto both = usage_with_children(pid_);
  const auto of_helper = both && helper_ > 0 ? usage_with_children(helper_) : std::nullopt;
  if (!of_helper) return both;
  both->cpu_seconds += of_helper->cpu_seconds;
  both->resident_bytes += of_helper->resident_bytes;
  return both;
}

std::optional<Failure> Watch::over_limit() const {
  const auto usage = this->usage();
  if (!usage) return std::nullopt;
  if (memory_is_watched() && limits_.memory_bytes > 0 && usage->resident_bytes > limits_.memory_bytes)
    return Failure{
        Ending::out_of_memory,
        "used " + human_bytes(usage->resident_bytes) + " of memory (limit " + human_bytes(limits_.memory_bytes) + ")",
        ""};
  return over_time(usage->cpu_seconds - cpu_at_start_, stopwatch_.seconds());
}

std::optional<Failure> Watch::over_time(double cpu, double wall) const {
  const double limit = limits_.cpu_seconds;
  if (limit <= 0) return std::nullopt;
  const std::string told = " (limit " + human_seconds(limit) + " of CPU time)";
  const auto over = [&](const std::string& what, bool doubtful) {
    return Failure{Ending::timed_out, what + told, "", false, false, doubtful, limit};
  };
  if (cpu >= limit) return over("used " + human_seconds(cpu), false);
  if (wall >= limit && cpu < idle * wall)
    return over("did nearly nothing for " + human_seconds(wall) + ": it sleeps or waits", true);
  if (wall >= wall_factor * limit) return over("was not done after " + human_seconds(wall), true);
  return std::nullopt;
}

int Watch::milliseconds() const {
  constexpr double seldom = 200;
  return static_cast<int>(limits_.cpu_seconds <= 0 ? seldom : std::clamp(limits_.cpu_seconds * 1000 / 20, 5.0, seldom));
}

}  // namespace culprit
