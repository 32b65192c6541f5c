#pragma once
// What of --budget a profile has used, what it left out for want of time, and how much would have done.

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "profile/cautions.h"
#include "profile/speed/measure_speed.h"
#include "profile/time_plan.h"
#include "record/profile.h"

namespace culprit {

class ProfileBudget {
 public:
  /// `shares_with_blame`: blame is asked for in the same time. `blame_seconds`: of each row, where it is not.
  ProfileBudget(TimePlan time, bool shares_with_blame, double blame_seconds)
      : time_(std::move(time)), shares_with_blame_(shares_with_blame), blame_seconds_(blame_seconds) {}

  /// What was spent before this was not measuring.
  void begin_measuring() { needed_.before = time_.spent(); }
  [[nodiscard]] bool has_end() const { return time_.has_end(); }
  [[nodiscard]] double spent() const { return time_.spent(); }
  [[nodiscard]] bool is_spent() const { return time_.left() <= 0; }
  /// Seconds that measuring speed may take, so many of which are spent, where what is beside takes so long.
  [[nodiscard]] double share_of_speed(double spent, double beside, std::size_t groups) const;
  /// Is there the time for it? If not, it is told at the end.
  bool fits(Beside what, const std::string& row, const RowPace& pace);
  /// `rows`: names of the models of `speed`; `at_once`: as of SpeedOptions.
  void take_speed(const SpeedReport& speed, const std::vector<std::string>& rows, std::size_t at_once);
  /// Seconds for the next of so many rows.
  [[nodiscard]] double seconds_of_blame(std::size_t rows) const;
  /// The seconds of a block with two rows, about; 0: none was made.
  [[nodiscard]] double seconds_a_block() const { return seconds_a_block_; }
  /// `budget_spent`, at the end of it all.
  [[nodiscard]] std::optional<Warning> what_is_open(const std::vector<BlameRecord>& blames) const;

 private:
  TimePlan time_;
  bool shares_with_blame_;
  double blame_seconds_;
  double speed_spent_ = 0, seconds_a_block_ = 0;
  NeededTime needed_;  ///< of `beside` what was left out
  Unfinished unfinished_;
};

}  // namespace culprit
