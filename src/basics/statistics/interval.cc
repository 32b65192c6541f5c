#include "statistics/interval.h"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

namespace culprit {

Interval wilson_interval(double yes, std::int64_t cases, double confidence) {
  if (cases <= 0) return {};
  const double z = boost::math::quantile(boost::math::normal_distribution<double>(), (1 + confidence) / 2);
  const auto n = static_cast<double>(cases);
  const double rate = yes / n, square = z * z / n;
  const double middle = (rate + square / 2) / (1 + square);
  const double reach = z / (1 + square) * std::sqrt(rate * (1 - rate) / n + square / (4 * n));
  // At either end rounding must not leave the rate itself outside.
  const double low = yes <= 0 ? 0 : std::max(0.0, middle - reach);
  const double high = yes >= n ? 1 : std::min(1.0, middle + reach);
  return {low, high};
}

}  // namespace culprit
