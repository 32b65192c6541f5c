#include "conversion/number_profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "conversion/axis_order.h"

namespace culprit {

NumberProfile::NumberProfile(std::span<const float> numbers) : sorted_(numbers.begin(), numbers.end()) {
  const auto end = std::partition(sorted_.begin(), sorted_.end(), [](float number) { return !std::isnan(number); });
  std::sort(sorted_.begin(), end);
  if (sorted_.empty()) return;
  for (std::size_t i = 0; i < looks; ++i) some_[i] = sorted_[i * (sorted_.size() - 1) / (looks - 1)];
  double sum = 0;
  for (const float number : sorted_)
    if (std::isfinite(number)) sum += std::abs(static_cast<double>(number));
  size_ = sum / static_cast<double>(sorted_.size());
}

double NumberProfile::distance(const NumberProfile& other) const {
  if (count() != other.count()) return std::numeric_limits<double>::infinity();
  return culprit::distance(sorted_, other.sorted_);
}

double NumberProfile::rough_distance(const NumberProfile& other) const {
  if (count() != other.count()) return std::numeric_limits<double>::infinity();
  return culprit::distance(some_, other.some_);
}

std::size_t NumberProfile::distinct() const {
  std::size_t found = sorted_.empty() ? 0 : 1;
  for (std::size_t i = 1; i < sorted_.size(); ++i)
    if (sorted_[i] != sorted_[i - 1] && !(std::isnan(sorted_[i]) && std::isnan(sorted_[i - 1]))) ++found;
  return found;
}

}  // namespace culprit
