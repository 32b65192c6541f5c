#include "baseline/directed/value_patterns.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace culprit {
namespace {

enum Pattern : std::uint64_t {
  positive,
  negative,
  zero,
  negative_zero,
  nan,
  infinite,
  minus_infinite,
  fraction,
  half,
  tie,
  overflow,
  underflow,
  row_below_zero,
  border_below_zero,
  mostly_zero,
  all_negative,
  all_positive,
  magnitudes = 32,  // and those behind it
};
constexpr std::uint64_t patterns_a_value = 64;

struct Seen {
  std::uint64_t bits = 0;
  void add(std::uint64_t pattern) { bits |= std::uint64_t{1} << pattern; }
  [[nodiscard]] bool has(std::uint64_t pattern) const { return (bits >> pattern & 1) != 0; }
};

/// Steps of 16, from 2^-60 to 2^60.
std::uint64_t magnitude(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return static_cast<std::uint64_t>(std::clamp((exponent + 60) / 4, 0, 30));
}

void look_at_element(double x, Seen& seen) {
  if (std::isnan(x)) return seen.add(nan);
  if (std::isinf(x)) return seen.add(x > 0 ? infinite : minus_infinite);
  if (x == 0) return seen.add(std::signbit(x) ? negative_zero : zero);
  seen.add(x > 0 ? positive : negative);
  seen.add(magnitudes + magnitude(x));
  if (x != std::floor(x)) seen.add(fraction);
  if (x != std::floor(x) && 2 * x == std::floor(2 * x)) seen.add(half);
}

/// Rows along the last axis, and, where there are channels, along the second.
void look_at_rows(const Tensor& tensor, std::int64_t length, std::int64_t stride, Seen& seen) {
  constexpr double largest_exponent = 88;
  if (length < 2) return;
  for (std::int64_t row = 0; row < tensor.count() / length; ++row) {
    const std::int64_t start = row / stride * stride * length + row % stride;
    double largest = tensor.number(start), second = -std::numeric_limits<double>::infinity(), least = largest;
    for (std::int64_t i = 1; i < length; ++i) {
      const double x = tensor.number(start + i * stride);
      second = std::max(second, std::min(x, largest));
      largest = std::max(largest, x);
      least = std::min(least, x);
    }
    if (largest == second) seen.add(tie);
    if (second > largest_exponent) seen.add(overflow);
    if (largest - least > 104) seen.add(underflow);
    if (largest < 0) seen.add(row_below_zero);
  }
}

/// Is there a corner of a plane with nothing above zero, 2 x 2?
void look_at_corners(const Tensor& tensor, Seen& seen) {
  const Shape& shape = tensor.shape();
  if (shape.size() < 3) return;
  const std::int64_t width = shape.back(), height = shape.size() > 3 ? shape[shape.size() - 2] : 1;
  if (width < 2) return;
  const std::int64_t plane = width * height;
  for (std::int64_t start = 0; start + plane <= tensor.count(); start += plane) {
    for (const std::int64_t column : {std::int64_t{0}, width - 2}) {
      for (const std::int64_t line : {std::int64_t{0}, std::max<std::int64_t>(height - 2, 0)}) {
        bool below = true;
        for (std::int64_t i = 0; i < 4 && below; ++i) {
          const std::int64_t at = std::min(line + i / 2, height - 1) * width + column + i % 2;
          below = tensor.number(start + at) < 0;
        }
        if (below) seen.add(border_below_zero);
      }
    }
  }
}

void look_at_places(const Tensor& tensor, Seen& seen) {
  const Shape& shape = tensor.shape();
  if (shape.empty()) return;
  look_at_rows(tensor, shape.back(), 1, seen);
  look_at_corners(tensor, seen);
  if (shape.size() < 3) return;
  std::int64_t stride = 1;
  for (std::size_t axis = 2; axis < shape.size(); ++axis) stride *= shape[axis];
  look_at_rows(tensor, shape[1], stride, seen);
}

}  // namespace

Patterns patterns_of(const Tensor& tensor, std::uint64_t value) {
  Seen seen;
  const bool is_number = is_float(tensor.dtype()) || is_integer(tensor.dtype()) || tensor.dtype() == DType::boolean;
  if (!is_number || tensor.count() == 0) return {};
  std::int64_t zeros = 0;
  for (std::int64_t i = 0; i < tensor.count(); ++i) {
    const double x = tensor.number(i);
    zeros += x == 0 ? 1 : 0;
    look_at_element(x, seen);
  }
  if (2 * zeros > tensor.count()) seen.add(mostly_zero);
  const bool has_zeros = seen.has(zero) || seen.has(negative_zero);
  if (!seen.has(positive) && !has_zeros) seen.add(all_negative);
  if (!seen.has(negative) && !has_zeros) seen.add(all_positive);
  if (is_float(tensor.dtype())) look_at_places(tensor, seen);
  Patterns patterns;
  for (std::uint64_t pattern = 0; pattern < patterns_a_value; ++pattern) {
    if (seen.has(pattern)) patterns.insert(value * patterns_a_value + pattern);
  }
  return patterns;
}

Patterns patterns_wished(Wish wish, std::uint64_t value) {
  const auto of = [&](std::initializer_list<std::uint64_t> wished) {
    Patterns patterns;
    for (const std::uint64_t pattern : wished) patterns.insert(value * patterns_a_value + pattern);
    return patterns;
  };
  switch (wish) {
    case Wish::negative_border:
      return of({border_below_zero});
    case Wish::ties:
      return of({tie});
    case Wish::extreme:
      return of({overflow, underflow, row_below_zero});
    case Wish::signed_zeros:
      return of({zero, negative_zero});
    case Wish::not_finite:
      return of({nan, infinite, minus_infinite});
    case Wish::fractions:
      return of({fraction, half});
    case Wish::limits:
    case Wish::both_truths:
      return of({zero, positive, negative});
    case Wish::large:
    case Wish::large_border:
    case Wish::distinct:
      return {};  // magnitudes tell
  }
  return {};
}

bool is_out_of_reach(Wish wish, std::uint64_t value, const Patterns& seen) {
  const auto has = [&](std::uint64_t pattern) { return seen.contains(value * patterns_a_value + pattern); };
  if (wish == Wish::negative_border) return !has(border_below_zero);
  return wish == Wish::extreme && (!has(negative) || !has(overflow));
}

std::vector<std::size_t> most_telling(const std::vector<Patterns>& candidates, Patterns known, const Patterns& wished,
                                      std::size_t most) {
  constexpr std::size_t worth = 8;
  const auto gain = [&](const Patterns& patterns) {
    std::size_t sum = 0;
    for (const std::uint64_t pattern : patterns) {
      if (!known.contains(pattern)) sum += wished.contains(pattern) ? worth : 1;
    }
    return sum;
  };
  std::vector<std::size_t> chosen;
  while (chosen.size() < most) {
    std::size_t best = 0, best_gain = 0;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::size_t here = gain(candidates[i]);
      if (here > best_gain) best = i, best_gain = here;
    }
    if (best_gain == 0) break;
    chosen.push_back(best);
    known.insert(candidates[best].begin(), candidates[best].end());
  }
  return chosen;
}

}  // namespace culprit
