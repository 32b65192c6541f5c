#include "statistics/jackknife.h"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace culprit {

Estimate jackknife(double all, std::span<const double> without_one, std::size_t samples) {
  if (without_one.size() < 2) return {all, 0, 1};
  const auto count = static_cast<double>(without_one.size());
  double mean = 0, spread = 0;
  for (const double value : without_one) mean += value / count;
  for (const double value : without_one) spread += (value - mean) * (value - mean);
  const boost::math::students_t_distribution<double> student(count - 1);
  const double reach = boost::math::quantile(student, 0.975) * std::sqrt(spread * (count - 1) / count);
  const Estimate drawn{all, std::min(all, std::max(0.0, all - reach)), std::max(all, std::min(1.0, all + reach))};
  return not_too_sure(drawn, samples);
}

}  // namespace culprit
