#pragma once
// Intervals of means and of ratios of sums over samples, without an assumption about how the values lie: the percentile
// bootstrap (B. Efron, R. Tibshirani, "An introduction to the bootstrap", 1993, chapter 13). A draw takes as many
// samples as there are, each by chance among all; the interval holds the middle part of what the draws give. No memory
// is needed beyond the values and one number a draw; the same seed gives the same bits everywhere.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "statistics/interval.h"

namespace culprit {

struct BootstrapOptions {
  std::uint64_t seed = 1;
  std::size_t draws = 0;  ///< 0: 1,000, and of more than 10,000 values fewer, down to 200
  double confidence = 0.95;
};

/// Values must be finite. Of one value, or equal ones, the interval has no width. Without values: 0 to 1.
Interval bootstrap_mean(std::span<const float> values, const BootstrapOptions& options = {});

/// The interval of the sum of `above` over the sum of `below`, which belong to the same samples: precision, recall.
/// Draws in which the sum below is 0 do not count.
Interval bootstrap_ratio(std::span<const float> above, std::span<const float> below,
                         const BootstrapOptions& options = {});

/// The middle part of what draws gave, without NaN; quantiles as numpy takes them by default. Of nothing: 0 to 1.
Interval middle_of(std::vector<double> drawn, double confidence = 0.95);

}  // namespace culprit
