#include "profile/speed/speed_verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "statistics/quantile.h"
#include "statistics/signed_rank.h"

namespace culprit {

SpeedVerdict speed_verdict(const RatioRecord& ratio) {
  if (ratio.low >= 1 - same_within && ratio.high <= 1 + same_within) return SpeedVerdict::same;
  if (ratio.low > 1 + same_within) return SpeedVerdict::slower;
  if (ratio.high < 1 - same_within) return SpeedVerdict::faster;
  return SpeedVerdict::ambiguous;
}

RatioRecord ratio_of(std::span<const double> block_ratios, double confidence) {
  if (block_ratios.empty()) return {1, 0, std::numeric_limits<double>::infinity()};
  std::vector<double> logarithms;
  for (const double ratio : block_ratios) logarithms.push_back(std::log(ratio));
  const Interval interval = signed_rank_interval(logarithms, confidence);
  return {std::exp(pseudomedian(logarithms)), std::exp(interval.low), std::exp(interval.high)};
}

TimeRecord time_record(std::span<const double> seconds) {
  if (seconds.empty()) return {};
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::ranges::sort(sorted);
  return {quantile_of_sorted(sorted, 0.5), quantile_of_sorted(sorted, 0.1), quantile_of_sorted(sorted, 0.9),
          static_cast<std::int64_t>(sorted.size())};
}

}  // namespace culprit
