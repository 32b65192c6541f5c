#include "statistics/looks.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr double all_looks = 0.05;  // may err so often together
constexpr double planned_ones = 0.04;
constexpr double growth = 1.5;  // values of a look over those of the one before

}  // namespace

double Looks::look() {
  ++looked_;
  due_ = std::max(due_ + 1, static_cast<std::int64_t>(std::ceil(static_cast<double>(due_) * growth)));
  if (planned_ == 1) return 1 - all_looks;
  if (looked_ <= planned_) return 1 - planned_ones / static_cast<double>(planned_);
  return 1 - (all_looks - planned_ones) * std::ldexp(1.0, static_cast<int>(planned_ - looked_));
}

}  // namespace culprit
