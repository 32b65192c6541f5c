#include "judge/noise_floor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "judge/judge.h"
#include "judge/tolerance.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

constexpr double deviations = 4;
constexpr double epsilons = 8;

bool is_complex(DType type) { return type == DType::c64 || type == DType::c128; }

double epsilon(DType type) {
  if (type == DType::c64) return epsilon_of(DType::f32);
  if (type == DType::c128) return epsilon_of(DType::f64);
  return is_float(type) ? epsilon_of(type) : 0;
}

bool same_element(const Tensor& a, const Tensor& b, std::size_t i) {
  if (a.dtype() == DType::string) return a.strings()[i] == b.strings()[i];
  const std::size_t bits = bits_of(a.dtype());
  const auto index = static_cast<std::int64_t>(i);
  if (bits < 8 || a.dtype() == DType::boolean) return a.number(index) == b.number(index);
  const std::size_t width = bits / 8;
  return std::memcmp(a.bytes().data() + i * width, b.bytes().data() + i * width, width) == 0;
}

bool jumps(const Tensor& reference, const Tensor& draw, std::size_t i, double jump) {
  const auto index = static_cast<std::int64_t>(i);
  return std::abs(draw.number(index) - reference.number(index)) > jump;  // false of NaN
}

}  // namespace

bool is_exact(DType type) { return !is_float(type) && !is_complex(type); }

void add_reference(NoiseFloor& floor, const Tensor& reference) {
  floor.rms = std::max(floor.rms, rms_of_finite(reference));
  const double eps = epsilon(reference.dtype());
  if (is_complex(reference.dtype()) || bits_of(reference.dtype()) > 8) {
    floor.eps = eps;
  } else {
    floor.step = std::max(floor.step, eps * floor.rms);
  }
}

Drift drift_of(const Tensor& reference, const Tensor& draw) {
  const Measurement m = measure(reference, draw, {});
  if (is_structural(m) || m.nonfinite_mismatch > 0) return {};
  return {true, is_exact(reference.dtype()) ? 0 : m.max_abs};
}

double jump_of(const Tensor& reference) { return bounds_for(reference, {}).atol; }

Drift drift_between_jumps(const Tensor& reference, const Tensor& draw) {
  const double jump = jump_of(reference);
  Drift drift = drift_of(reference, draw);
  if (!drift.counts || drift.deviation <= jump) return drift;
  drift.deviation = 0;
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const double moved = std::abs(draw.number(i) - reference.number(i));
    if (moved <= jump) drift.deviation = std::max(drift.deviation, moved);  // false of NaN
  }
  return drift;
}

void complete(NoiseFloor& floor) {
  floor.abs = deviations * floor.deviation + epsilons * floor.eps * floor.rms + floor.step;
  floor.rel = floor.rms > 0 ? floor.abs / floor.rms : 0;
}

std::int64_t mark_flips(const Tensor& reference, const Tensor& draw, std::vector<std::uint8_t>& ties) {
  if (reference.dtype() != draw.dtype() || reference.shape() != draw.shape()) return 0;
  const auto count = static_cast<std::size_t>(reference.count());
  ties.resize(count, 0);
  const double jump = is_exact(reference.dtype()) ? 0 : jump_of(reference);
  std::int64_t marked = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (ties[i] != 0 || same_element(reference, draw, i)) continue;
    if (!is_exact(reference.dtype()) && !jumps(reference, draw, i, jump)) continue;
    ties[i] = 1;
    ++marked;
  }
  return marked;
}

bool mark_resize(const Tensor& reference, const Tensor& draw, std::vector<std::int64_t>& most) {
  const Shape& before = reference.shape();
  const Shape& after = draw.shape();
  if (reference.dtype() != draw.dtype() || before.size() != after.size() || before == after) return false;
  most.resize(before.size(), 0);
  bool is_more = false;
  for (std::size_t axis = 0; axis < before.size(); ++axis) {
    const std::int64_t by = std::abs(after[axis] - before[axis]);
    is_more = is_more || by > most[axis];
    most[axis] = std::max(most[axis], by);
  }
  return is_more;
}

}  // namespace culprit
