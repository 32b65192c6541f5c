#include "statistics/sample_values.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace culprit {
namespace {

/// Values are kept as floats, so that the mean may lie a rounding outside.
Estimate around(double value, const Interval& interval) {
  return {value, std::min(value, interval.low), std::max(value, interval.high)};
}

}  // namespace

Estimate rate_of(double yes, std::int64_t cases) {
  if (cases <= 0) return {0, 0, 1};
  return around(yes / static_cast<double>(cases), wilson_interval(yes, cases));
}

void SampleValues::add(double value) {
  sum_.add(value);
  values_.push_back(static_cast<float>(value));
}

void SampleValues::merge(const SampleValues& later) {
  sum_.merge(later.sum_);
  values_.insert(values_.end(), later.values_.begin(), later.values_.end());
}

void SampleValues::write(StateWriter& state) const {
  sum_.write(state);
  state.add_all(values_);
}

SampleValues SampleValues::read(StateReader& state) {
  SampleValues values;
  values.sum_ = ExactSum::read(state);
  state.all_to(values.values_);
  return values;
}

Estimate SampleValues::mean(std::uint64_t seed) const {
  if (values_.empty()) return {};
  const double mean = sum_.value() / static_cast<double>(values_.size());
  if (!std::isfinite(mean)) return {mean, mean, mean};
  return around(mean, bootstrap_mean(together(), {.seed = seed}));
}

Estimate SampleValues::share(std::uint64_t seed) const {
  const bool is_one_value = std::ranges::adjacent_find(values_, std::ranges::not_equal_to()) == values_.end();
  return is_one_value ? rate_of(sum_.value(), static_cast<std::int64_t>(values_.size())) : mean(seed);
}

Estimate SampleValues::ratio(const SampleValues& below, double factor, double empty, std::uint64_t seed) const {
  const double under = below.sum_.value();
  if (under == 0) return {empty, 0, 1};
  const Interval drawn = bootstrap_ratio(together(), below.together(), {.seed = seed});
  return around(factor * sum_.value() / under, {factor * drawn.low, factor * drawn.high});
}

}  // namespace culprit
