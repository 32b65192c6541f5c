#include "profile/time_plan.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "profile/measured_devices.h"
#include "profile/measured_memory.h"
#include "profile/measured_nodes.h"

namespace culprit {
namespace {

constexpr double start_of_process = 0.15;  ///< seconds, with loading the runtime's library
constexpr double seconds_of_limits = 1.2;
constexpr double slowed_by_profile = 1.5;  ///< a run that writes its profile

}  // namespace

double seconds_of(Beside what, const RowPace& pace) {
  const double fresh = start_of_process + pace.load;
  switch (what) {
    case Beside::memory:
      return static_cast<double>(std::min(pace.samples, most_samples_of_memory)) * (fresh + 2 * pace.run);
    case Beside::optimizing:
      return 3 * (fresh + pace.load);
    case Beside::nodes:
      return fresh + slowed_by_profile * static_cast<double>(traced_runs(pace.run)) * pace.run;
    case Beside::limits:
      return seconds_of_limits;
    case Beside::devices:
      break;
  }
  return fresh + std::max(seconds_of_devices, 7 * pace.run);
}

double TimePlan::left() const {
  if (!has_end()) return std::numeric_limits<double>::infinity();
  return std::max(0.0, budget_ - spent());
}

double TimePlan::share_of_speed(double left, double beside, bool is_blame_to_come, std::size_t groups) {
  const double share = std::max(left - beside, left / 2);
  return share / (is_blame_to_come ? 2 : 1) / static_cast<double>(std::max<std::size_t>(groups, 1));
}

double needed_budget(const NeededTime& time) {
  const double with_blame = time.blame > 0 ? std::max(2 * time.speed, time.speed + time.blame) : time.speed;
  const double needed = 1.1 * (time.before + time.beside + with_blame);
  if (needed <= 1) return 1;
  const double digit = std::pow(10, std::floor(std::log10(needed)) - 1);
  return std::ceil(needed / digit - 1e-9) * digit;
}

}  // namespace culprit
