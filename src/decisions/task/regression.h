#pragma once
// Numbers held against those that are right: the mean error, and how much of their variance is explained.

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>

#include "record/decisions.h"
#include "statistics/exact_sum.h"
#include "statistics/group_bootstrap.h"

namespace culprit {

/// Sums over samples, exact, so that samples can be added in any grouping. Takes a fixed amount of memory.
class RegressionSums {
 public:
  /// `right` and `given` have as many numbers. Where one of them is not finite, no metric is.
  void add(std::int64_t sample, std::span<const double> right, std::span<const double> given);
  void merge(const RegressionSums& later);
  void write(StateWriter& state) const;
  static RegressionSums read(StateReader& state);

  [[nodiscard]] std::int64_t samples() const { return samples_; }
  /// "mae" (sklearn.metrics.mean_absolute_error), "rmse" (root_mean_squared_error) and "r2" (r2_score; absent where all
  /// that is right is one number), of all numbers of all samples together.
  [[nodiscard]] std::map<std::string, MetricRecord> metrics(std::uint64_t seed) const;

 private:
  struct Sums {
    ExactSum off, squared_off, right, squared_right;
    std::int64_t numbers = 0;
  };
  struct Totals;

  std::array<Sums, sample_groups> groups_;
  std::int64_t samples_ = 0;
};

}  // namespace culprit
