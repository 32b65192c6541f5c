#include "profile/speed/speed_verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "statistics/looks.h"
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

std::optional<std::int64_t> blocks_to_be_sure(const RatioRecord& ratio, std::int64_t blocks) {
  constexpr double most_times = 1000;
  const std::int64_t first_look = Looks::many().due();
  if (blocks <= 0 || !has_interval(ratio)) return std::max(first_look, blocks + 1);
  const double centre = std::log(ratio.value);
  const double narrow =
      std::min(std::abs(centre - std::log(1 + same_within)), std::abs(centre - std::log(1 - same_within)));
  const double wide = std::max(std::log(ratio.high) - centre, centre - std::log(ratio.low));
  if (wide > narrow * std::sqrt(most_times)) return std::nullopt;
  const auto needed = std::ceil(static_cast<double>(blocks) * (wide / narrow) * (wide / narrow));
  return std::max({first_look, blocks + 1, static_cast<std::int64_t>(needed)});
}

std::optional<LatencyRecord> latency_record(std::span<const double> seconds) {
  if (seconds.empty()) return std::nullopt;
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::ranges::sort(sorted);
  return LatencyRecord{sorted.front(),
                       quantile_of_sorted(sorted, 0.5),
                       quantile_of_sorted(sorted, 0.95),
                       quantile_of_sorted(sorted, 0.99),
                       sorted.back(),
                       static_cast<std::int64_t>(sorted.size())};
}

TimeRecord time_record(std::span<const double> seconds) {
  if (seconds.empty()) return {};
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::ranges::sort(sorted);
  return {quantile_of_sorted(sorted, 0.5), quantile_of_sorted(sorted, 0.1), quantile_of_sorted(sorted, 0.9),
          static_cast<std::int64_t>(sorted.size())};
}

}  // namespace culprit
