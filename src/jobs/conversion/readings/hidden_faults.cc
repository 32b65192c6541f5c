#include "conversion/readings/hidden_faults.h"

#include <cmath>

namespace culprit {
namespace {

constexpr double share_that_is_a_fault = 0.02;

double mean_size(std::span<const Tensor> tensors) {
  double size = 0;
  std::int64_t count = 0;
  for (const Tensor& tensor : tensors) {
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const double number = tensor.number(i);
      if (std::isfinite(number)) size += std::abs(number);
    }
    count += tensor.count();
  }
  return count == 0 ? 0 : size / static_cast<double>(count);
}

}  // namespace

bool hides_faults(const Measurement& measurement, std::span<const Tensor> source) {
  if (measurement.excused == 0 || source.empty() || !is_float(source.front().dtype())) return false;
  return measurement.max_abs > share_that_is_a_fault * mean_size(source);
}

}  // namespace culprit
