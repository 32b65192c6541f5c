#include "tensor/part_of_a_step.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr double part = 1.0 / 500;

}  // namespace

void move_by_part_of_a_step(std::span<float> elements, std::span<const float> steps, Random& random) {
  double step = INFINITY;
  for (const float one : steps) step = std::min(step, std::abs(static_cast<double>(one)));
  if (!std::isfinite(step)) return;
  for (float& x : elements) {
    const double u = 2 * random.uniform() - 1;
    const double by = std::copysign(1 - u * u, u) * part * step;  // rather far than near, as a sine is
    if (std::isfinite(x)) x = static_cast<float>(x + by);
  }
}

}  // namespace culprit
