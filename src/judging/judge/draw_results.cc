#include "judge/draw_results.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "judge/element_readers.h"

namespace culprit {
namespace {

/// Of the largest and the second largest so far.
void add_reach(Drawn& drawn, std::size_t i, double moved, std::size_t count) {
  if (drawn.reach.empty()) {
    drawn.reach.assign(count, 0);
    drawn.second.assign(count, 0);
    drawn.furthest.assign(count, 0);
  }
  const auto by = static_cast<float>(std::min<double>(moved, std::numeric_limits<float>::max()));
  float& most = drawn.reach[i];
  if (by > most) {
    drawn.second[i] = std::exchange(most, by);
    drawn.furthest[i] = static_cast<std::uint8_t>(drawn.draws - 1);
  } else {
    drawn.second[i] = std::max(drawn.second[i], by);
  }
}

void came(Came& what, const Drawn& drawn) {
  ++what.times;
  what.last = drawn.draws - 1;
}

void add_value(Flip& flip, double value, const Drawn& drawn) {
  if (std::isnan(value)) return came(flip.nan, drawn);
  if (std::isinf(value)) return came(value > 0 ? flip.plus : flip.minus, drawn);
  flip.lowest = flip.finite.times > 0 ? std::min(flip.lowest, value) : value;
  flip.highest = flip.finite.times > 0 ? std::max(flip.highest, value) : value;
  came(flip.finite, drawn);
}

/// NaN, an infinity or a number: are both the same kind?
bool same_kind(double a, double b) {
  if (std::isfinite(a) && std::isfinite(b)) return true;
  return (std::isnan(a) && std::isnan(b)) || a == b;
}

template <class Elements>
void add_floats(Drawn& drawn, const Tensor& reference, const Tensor& draw, std::int64_t parts, unsigned ulps) {
  const Elements rs(reference);
  const Elements ds(draw);
  const bool is_smooth = drawn.nature == Nature::smooth;
  const double parts_of_it = is_smooth ? ulps : 1;
  if (is_smooth && drawn.shared.groups.count() == 0) drawn.shared.groups = ErrorGroups(reference);
  SumsOfDraw sums(drawn.shared);
  for (std::int64_t i = 0; i < parts; ++i) {
    const double r = rs.number(i);
    const double d = ds.number(i);
    if (!same_kind(r, d)) {
      add_value(drawn.flips[i], d, drawn);
    } else if (r != d && std::isfinite(r)) {
      const auto at = static_cast<std::size_t>(i);
      add_reach(drawn, at, std::abs(d - r) / parts_of_it, static_cast<std::size_t>(parts));
      sums.add(at, r, d - r);
    }
  }
  sums.finish(parts_of_it);
}

void add_names(Drawn& drawn, const Tensor& reference, const Tensor& draw) {
  const bool is_text = reference.dtype() == DType::string;
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    if (is_text) {
      const std::string& text = draw.strings()[static_cast<std::size_t>(i)];
      if (text == reference.strings()[static_cast<std::size_t>(i)]) continue;
      came(drawn.flips[i].texts[text], drawn);
    } else {
      const std::int64_t value = name_at(draw, i);
      if (value == name_at(reference, i)) continue;
      came(drawn.flips[i].values[value], drawn);
    }
  }
}

void add_integers(Drawn& drawn, const Tensor& reference, const Tensor& draw) {
  const auto count = static_cast<std::size_t>(reference.count());
  for (std::int64_t i = 0; i < reference.count(); ++i) {
    const double moved = std::abs(draw.number(i) - reference.number(i));
    if (moved > 0) add_reach(drawn, static_cast<std::size_t>(i), moved, count);
  }
}

void add_resize(Drawn& drawn, const Shape& before, const Shape& after) {
  drawn.resized.resize(before.size(), 0);
  for (std::size_t axis = 0; axis < before.size(); ++axis)
    drawn.resized[axis] = std::max(drawn.resized[axis], std::abs(after[axis] - before[axis]));
}

bool same_bytes(const Tensor& a, const Tensor& b) {
  return a.dtype() != DType::string && a.bytes().size() == b.bytes().size() &&
         (a.bytes().empty() || std::memcmp(a.bytes().data(), b.bytes().data(), a.bytes().size()) == 0);
}

}  // namespace

bool is_exact(DType type) { return !is_float(type) && type != DType::c64 && type != DType::c128; }

Nature nature_for(DType type, Nature nature) {
  if (!is_exact(type)) return nature == Nature::named ? Nature::stepped : nature;
  if (type == DType::string || type == DType::boolean) return Nature::named;
  return nature == Nature::stepped ? Nature::stepped : Nature::named;
}

unsigned ulps_of_draw(int number) { return number % 2 == 0 ? 1 : 4; }

std::int64_t name_at(const Tensor& tensor, std::int64_t i) {
  switch (tensor.dtype()) {
    case DType::i64:
      return tensor.as<std::int64_t>()[static_cast<std::size_t>(i)];
    case DType::u64:
      return static_cast<std::int64_t>(tensor.as<std::uint64_t>()[static_cast<std::size_t>(i)]);
    case DType::boolean:
      return tensor.number(i) != 0 ? 1 : 0;
    default:
      return static_cast<std::int64_t>(tensor.number(i));
  }
}

void add_draw(Drawn& drawn, const Tensor& reference, const Tensor& draw, unsigned ulps) {
  const bool fits = reference.dtype() == draw.dtype() && reference.shape().size() == draw.shape().size();
  if (!fits || reference.shape() != draw.shape()) {
    ++drawn.discarded;
    if (fits) add_resize(drawn, reference.shape(), draw.shape());
    return;
  }
  ++drawn.draws;
  if (same_bytes(reference, draw)) return;
  const auto floats = [&]<class Elements>(std::int64_t parts) {
    add_floats<Elements>(drawn, reference, draw, parts, ulps);
  };
  if (with_float_elements(reference.dtype(), reference.count(), floats)) return;
  drawn.nature == Nature::named ? add_names(drawn, reference, draw) : add_integers(drawn, reference, draw);
}

}  // namespace culprit
