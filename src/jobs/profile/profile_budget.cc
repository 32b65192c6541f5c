#include "profile/profile_budget.h"

#include <algorithm>

namespace culprit {

double ProfileBudget::share_of_speed(double spent, double beside, std::size_t groups) const {
  return TimePlan::share_of_speed(time_.left() + spent, beside, shares_with_blame_, groups);
}

bool ProfileBudget::fits(Beside what, const std::string& row, const RowPace& pace) {
  const double seconds = seconds_of(what, pace);
  if (time_.fits(seconds)) return true;
  unfinished_.not_measured[what].push_back(row);
  needed_.beside += seconds;
  return false;
}

void ProfileBudget::take_speed(const SpeedReport& speed, const std::vector<std::string>& rows, std::size_t at_once) {
  constexpr double unknown_block = 1;  // half of it for turns
  speed_spent_ += speed.seconds;
  needed_.speed += speed.seconds;
  const bool is_known = speed.blocks > 0 && speed.seconds > 0;
  const double a_block = is_known ? speed.seconds / static_cast<double>(speed.blocks) : unknown_block;
  if (is_known && rows.size() > 1) seconds_a_block_ = 2 * a_block / static_cast<double>(std::min(rows.size(), at_once));
  if (!speed.is_out_of_time) return;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is_unsure(speed.models[i].verdict)) unfinished_.unsure.push_back(rows[i]);
  if (!speed.blocks_missing) unfinished_.is_at_edge = true;
  needed_.speed += a_block * static_cast<double>(speed.blocks_missing.value_or(speed.blocks));
}

double ProfileBudget::seconds_of_blame(std::size_t rows) const {
  return shares_with_blame_ ? time_.left() / static_cast<double>(rows) : blame_seconds_;
}

std::optional<Warning> ProfileBudget::what_is_open(const std::vector<BlameRecord>& blames) const {
  Unfinished unfinished = unfinished_;
  NeededTime needed = needed_;
  double blame_spent = 0, longest = 0;
  for (const BlameRecord& blame : blames) {
    blame_spent += blame.seconds;
    longest = std::max(longest, blame.seconds + blame.seconds_left);
    if (!blame.open.empty()) unfinished.open_blames.push_back(blame.entry);
  }
  needed.blame = longest * static_cast<double>(blames.size());
  if (shares_with_blame_ && blames.empty()) needed.blame = needed.speed;  // nobody knows what there is to ask
  needed.beside += std::max(0.0, time_.spent() - needed.before - speed_spent_ - blame_spent);
  unfinished.budget = time_.budget();
  unfinished.needed = needed_budget(needed);
  return budget_spent(unfinished);
}

}  // namespace culprit
