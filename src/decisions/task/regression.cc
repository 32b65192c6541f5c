#include "task/regression.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "statistics/bootstrap.h"

namespace culprit {

struct RegressionSums::Totals {
  double numbers = 0, off = 0, squared_off = 0, right = 0, squared_right = 0;

  void add(const Totals& other, double times) {
    numbers += times * other.numbers;
    off += times * other.off;
    squared_off += times * other.squared_off;
    right += times * other.right;
    squared_right += times * other.squared_right;
  }
  [[nodiscard]] double mae() const { return numbers > 0 ? off / numbers : 0; }
  [[nodiscard]] double rmse() const { return numbers > 0 ? std::sqrt(squared_off / numbers) : 0; }
  /// What the right numbers spread, as a sum of squares around their mean.
  [[nodiscard]] double spread() const { return numbers > 0 ? squared_right - right * right / numbers : 0; }
  [[nodiscard]] double r2() const { return 1 - squared_off / spread(); }
};

namespace {

/// The middle of the draws around what all samples give.
MetricRecord around_all(double all, std::vector<double> drawn) {
  if (drawn.size() < 2) return {all, all, all};
  const Interval middle = middle_of(std::move(drawn));
  return {all, std::min(all, middle.low), std::max(all, middle.high)};
}

}  // namespace

void RegressionSums::add(std::int64_t sample, std::span<const double> right, std::span<const double> given) {
  Sums& sums = groups_[group_of(sample)];
  ++samples_;
  for (std::size_t i = 0; i < std::min(right.size(), given.size()); ++i) {
    const double off = right[i] - given[i];
    sums.off.add(std::abs(off));
    sums.squared_off.add(off * off);
    sums.right.add(right[i]);
    sums.squared_right.add(right[i] * right[i]);
    ++sums.numbers;
  }
}

void RegressionSums::merge(const RegressionSums& later) {
  samples_ += later.samples_;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    groups_[group].off.merge(later.groups_[group].off);
    groups_[group].squared_off.merge(later.groups_[group].squared_off);
    groups_[group].right.merge(later.groups_[group].right);
    groups_[group].squared_right.merge(later.groups_[group].squared_right);
    groups_[group].numbers += later.groups_[group].numbers;
  }
}

void RegressionSums::write(StateWriter& state) const {
  state.add(samples_);
  for (const Sums& sums : groups_) {
    state.add(sums.numbers);
    if (sums.numbers == 0) continue;
    for (const ExactSum* sum : {&sums.off, &sums.squared_off, &sums.right, &sums.squared_right}) sum->write(state);
  }
}

RegressionSums RegressionSums::read(StateReader& state) {
  RegressionSums read;
  read.samples_ = state.count();
  for (Sums& sums : read.groups_) {
    sums.numbers = state.count();
    if (sums.numbers == 0) continue;
    for (ExactSum* sum : {&sums.off, &sums.squared_off, &sums.right, &sums.squared_right}) *sum = ExactSum::read(state);
  }
  return read;
}

std::map<std::string, MetricRecord> RegressionSums::metrics(std::uint64_t seed) const {
  std::vector<Totals> totals;
  Totals all;
  std::uint32_t there = 0;
  for (std::size_t group = 0; group < groups_.size(); ++group) {
    const Sums& sums = groups_[group];
    totals.push_back({static_cast<double>(sums.numbers), sums.off.value(), sums.squared_off.value(), sums.right.value(),
                      sums.squared_right.value()});
    all.add(totals.back(), 1);
    if (sums.numbers > 0) there |= std::uint32_t{1} << group;
  }
  std::vector<Totals> draws;
  for (const GroupWeights& weights : draw_groups(there, seed)) {
    Totals& draw = draws.emplace_back();
    for (std::size_t group = 0; group < totals.size(); ++group)
      draw.add(totals[group], static_cast<double>(weights[group]));
  }
  const auto record = [&](double (Totals::*metric)() const) {
    std::vector<double> drawn;
    drawn.reserve(draws.size());
    for (const Totals& draw : draws) drawn.push_back((draw.*metric)());
    std::erase_if(drawn, [](double number) { return !std::isfinite(number); });
    return around_all((all.*metric)(), std::move(drawn));
  };
  std::map<std::string, MetricRecord> metrics{{"mae", record(&Totals::mae)}, {"rmse", record(&Totals::rmse)}};
  const bool is_spread = all.spread() > 1e-12 * all.squared_right;  // else it is what rounding left of it
  if (is_spread) metrics["r2"] = record(&Totals::r2);
  return metrics;
}

}  // namespace culprit
