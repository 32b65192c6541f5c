#include "statistics/sample_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
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

Estimate not_too_sure(const Estimate& estimate, std::size_t samples, double least, double most) {
  if (static_cast<float>(estimate.low) != static_cast<float>(estimate.high)) return estimate;  // kept as floats
  const double share = std::clamp((estimate.value - least) / (most - least), 0.0, 1.0);
  const Interval wide = wilson_interval(share * static_cast<double>(samples), static_cast<std::int64_t>(samples));
  return around(estimate.value, {least + wide.low * (most - least), least + wide.high * (most - least)});
}

void SampleValues::add(double value) {
  sum_.add(value);
  constexpr double most = std::numeric_limits<float>::max();
  values_.push_back(static_cast<float>(std::clamp(value, -most, most)));
}

void SampleValues::merge(const SampleValues& later) {
  sum_.merge(later.sum_);
  values_.insert(values_.end(), later.values_.begin(), later.values_.end());
}

SampleValues SampleValues::plus(const SampleValues& other) const {
  SampleValues both;
  both.sum_ = sum_;
  both.sum_.merge(other.sum_);
  for (std::size_t i = 0; i < std::min(size(), other.size()); ++i)
    both.values_.push_back(values_[i] + other.values_[i]);
  return both;
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

Estimate SampleValues::mean_within(double least, double most, std::uint64_t seed) const {
  return not_too_sure(mean(seed), size(), least, most);
}

Estimate SampleValues::ratio(const SampleValues& below, double factor, double empty, std::uint64_t seed) const {
  const double under = below.sum_.value();
  if (under == 0) return {empty, 0, 1};
  const Interval drawn = bootstrap_ratio(together(), below.together(), {.seed = seed});
  return not_too_sure(around(factor * sum_.value() / under, {factor * drawn.low, factor * drawn.high}), size());
}

}  // namespace culprit
