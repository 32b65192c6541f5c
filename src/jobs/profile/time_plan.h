#pragma once
// The time of --budget: what is measured beside speed, how long that takes, about, and what of the time is whose. All
// times are seconds.

#include <cstddef>
#include <functional>
#include <utility>

namespace culprit {

/// How fast a row is, as far as it is known.
struct RowPace {
  double load = 0, run = 0;
  std::size_t samples = 1;
};

/// What is measured of a row beside its speed; the limits are the machine's, and of no row.
enum class Beside { memory, optimizing, nodes, devices, limits };

/// About, with the processes that are started for it.
double seconds_of(Beside what, const RowPace& pace);

class TimePlan {
 public:
  /// `budget`: of the whole command; 0: no end. `spent`: of it so far.
  TimePlan(double budget, std::function<double()> spent) : budget_(budget), spent_(std::move(spent)) {}

  [[nodiscard]] bool has_end() const { return budget_ > 0; }
  [[nodiscard]] double budget() const { return budget_; }
  [[nodiscard]] double spent() const { return spent_(); }
  /// Never below 0; infinite where there is no end.
  [[nodiscard]] double left() const;
  /// Is there the time for work that takes so long? Never, where nothing is left.
  [[nodiscard]] bool fits(double seconds) const { return !has_end() || (left() > 0 && left() >= seconds); }

  /// What measuring speed may take of `left`, where `beside` is still to come: all but that, or half where that is
  /// more; of it half where steps are to be blamed in the same time; shared by `groups` that are measured one after the
  /// other.
  [[nodiscard]] static double share_of_speed(double left, double beside, bool is_blame_to_come, std::size_t groups);

 private:
  double budget_;
  std::function<double()> spent_;
};

/// What the parts of a profile took, or would take to their end.
struct NeededTime {
  double before = 0;  ///< making rows, graphs, decisions
  double speed = 0, beside = 0;
  double blame = 0;  ///< 0: none in the same time
};

/// A budget that is enough for all of it as `share_of_speed` shares it, with a tenth more, of two digits, rounded up.
double needed_budget(const NeededTime& time);

}  // namespace culprit
