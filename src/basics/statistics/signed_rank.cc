#include "statistics/signed_rank.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <limits>
#include <vector>

namespace culprit {
namespace {

/// Beyond so many values the sum of ranks is as good as normal.
constexpr std::size_t most_exact = 200;

/// Means of all pairs, each value with itself too ("Walsh averages"), ascending.
std::vector<double> means_of_pairs(std::span<const double> values) {
  std::vector<double> means;
  means.reserve(values.size() * (values.size() + 1) / 2);
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::size_t j = i; j < values.size(); ++j) means.push_back(values[i] / 2 + values[j] / 2);
  std::ranges::sort(means);
  return means;
}

/// How the sum of the ranks of positive values is spread where the centre is 0: chances of 0, 1, 2 ...
std::vector<double> chances_of_sums(std::size_t count) {
  std::vector<double> chances(count * (count + 1) / 2 + 1, 0.0);
  chances[0] = 1;
  std::size_t most = 0;
  for (std::size_t rank = 1; rank <= count; ++rank) {
    most += rank;
    for (std::size_t sum = most + 1; sum-- > 0;)
      chances[sum] = (chances[sum] + (sum >= rank ? chances[sum - rank] : 0.0)) / 2;
  }
  return chances;
}

/// So many means of pairs may be cut off at each end; 0: none, and so there is no interval.
std::size_t cut_at_each_end(std::size_t count, double tail) {
  const double n = static_cast<double>(count);
  if (count > most_exact) {
    const double deviation = std::sqrt(n * (n + 1) * (2 * n + 1) / 24);
    const double z = boost::math::quantile(boost::math::complement(boost::math::normal(), tail));
    return static_cast<std::size_t>(std::max(0.0, std::floor(n * (n + 1) / 4 - z * deviation)));
  }
  const std::vector<double> chances = chances_of_sums(count);
  double below = 0;
  for (std::size_t sum = 0; sum < chances.size(); ++sum) {
    below += chances[sum];
    if (below > tail) return sum;
  }
  return 0;
}

}  // namespace

double pseudomedian(std::span<const double> values) {
  const std::vector<double> means = means_of_pairs(values);
  const std::size_t middle = means.size() / 2;
  return means.size() % 2 == 1 ? means[middle] : (means[middle - 1] + means[middle]) / 2;
}

Interval signed_rank_interval(std::span<const double> values, double confidence) {
  const std::size_t cut = cut_at_each_end(values.size(), (1 - confidence) / 2);
  if (cut == 0) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  const std::vector<double> means = means_of_pairs(values);
  return {means[cut - 1], means[means.size() - cut]};
}

}  // namespace culprit
