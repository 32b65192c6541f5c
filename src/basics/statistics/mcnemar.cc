#include "statistics/mcnemar.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>

namespace culprit {
namespace {

/// P(X <= most) for X ~ Binomial(cases, 1/2).
double at_most(std::int64_t most, std::int64_t cases) {
  if (most < 0) return 0;
  if (most >= cases) return 1;
  const boost::math::binomial_distribution<double> halves(static_cast<double>(cases), 0.5);
  return boost::math::cdf(halves, static_cast<double>(most));
}

}  // namespace

double mcnemar_two_sided(std::int64_t only_first, std::int64_t only_second) {
  return std::min(1.0, 2 * at_most(std::min(only_first, only_second), only_first + only_second));
}

double mcnemar_more(std::int64_t only_first, std::int64_t only_second) {
  return at_most(only_second, only_first + only_second);  // the split is even, so P(X >= a) = P(X <= n - a)
}

bool is_significantly_more(std::int64_t only_first, std::int64_t only_second, double level) {
  return mcnemar_more(only_first, only_second) < level;
}

}  // namespace culprit
