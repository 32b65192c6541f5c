#include "judge/tolerance.h"

#include <cmath>

#include "judge/element_readers.h"

namespace culprit {
namespace {

struct Defaults {
  double rtol = 0;
  double atol_scale = 0;
};

Defaults defaults_for(DType type) {
  switch (type) {
    case DType::f64:
    case DType::c128:
      return {1e-6, 1e-7};
    case DType::f32:
    case DType::c64:
      return {1e-3, 1e-4};
    case DType::f16:
      return {1e-2, 1e-2};
    case DType::bf16:
      return {5e-2, 5e-2};
    case DType::f8e4m3fn:
    case DType::f8e4m3fnuz:
    case DType::f8e5m2:
    case DType::f8e5m2fnuz:
    case DType::f4e2m1:
      return {0.25, 0.25};
    default:
      return {};
  }
}

bool is_inexact(DType type) { return defaults_for(type).rtol > 0; }

}  // namespace

double rms_of_finite(const Tensor& tensor) {
  double rms = 0;
  with_float_elements(tensor.dtype(), tensor.count(), [&]<class Elements>(std::int64_t parts) {
    const Elements elements(tensor);
    typename Elements::Sum sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < parts; ++i) {
      const auto x = static_cast<typename Elements::Sum>(elements.at(i));
      if (!std::isfinite(x)) continue;
      sum += x * x;
      ++finite;
    }
    if (finite > 0) rms = static_cast<double>(std::sqrt(sum / static_cast<typename Elements::Sum>(finite)));
  });
  return rms;
}

Bounds bounds_for(DType type, double rms, const Tolerance& tolerance) {
  if (!is_inexact(type)) return {};
  const Defaults defaults = defaults_for(type);
  return {tolerance.atol.value_or(defaults.atol_scale * rms), tolerance.rtol.value_or(defaults.rtol)};
}

Bounds bounds_for(const Tensor& reference, const Tolerance& tolerance) {
  return bounds_for(reference.dtype(), rms_of_finite(reference), tolerance);
}

}  // namespace culprit
