#include "conversion/coarse/quantization_yardstick.h"

#include <algorithm>
#include <cmath>

namespace culprit {
namespace {

constexpr double most_times_honest_grid = 2, most_clipped = 0.01, as_near_as_range = 1.1;
constexpr int candidates = 32;
constexpr double smallest_part = 0.36;    // of the range: the smallest clipping bound that is tried
constexpr std::size_t most_tried = 4096;  // numbers of a slice that choose its bound

using Levels = IntegerLevels;

bool is_unsigned(DType type) {
  return type == DType::u4 || type == DType::u8 || type == DType::u16 || type == DType::u32;
}

Levels levels_of(DType type, bool is_half) {
  const int bits = static_cast<int>(bits_of(type));
  if (is_unsigned(type)) return {0, std::ldexp(1.0, is_half ? bits - 1 : bits) - 1};
  const double beyond = std::ldexp(1.0, is_half ? bits - 2 : bits - 1);
  return {-beyond, is_half ? beyond : beyond - 1};
}

/// One scale and zero point, and the integers that they may use.
struct Slice {
  double scale = 0, zero = 0;
  Levels levels;

  [[nodiscard]] double rounded(double number) const {
    if (!(scale > 0)) return 0;
    return scale * (std::clamp(std::nearbyint(number / scale) + zero, levels.lowest, levels.highest) - zero);
  }
  [[nodiscard]] bool clips(double number) const {
    if (!(scale > 0)) return number != 0;
    const double step = number / scale + zero;
    return step > levels.highest + 0.5 || step < levels.lowest - 0.5;
  }
};

/// Which scale an element has.
class GridSlices {
 public:
  static std::optional<GridSlices> of(const Shape& shape, std::size_t count, const Quantization& by) {
    if (by.scale.empty() || (!by.zero_point.empty() && by.zero_point.size() != by.scale.size())) return std::nullopt;
    if (element_count(shape).value_or(-1) != static_cast<std::int64_t>(count)) return std::nullopt;
    GridSlices made;
    if (by.scale.size() == 1) return made;
    const auto axis = static_cast<std::size_t>(by.axis);
    if (by.axis < 0 || axis >= shape.size() || shape[axis] != std::ssize(by.scale)) return std::nullopt;
    made.slices_ = by.scale.size();
    for (std::size_t behind = axis + 1; behind < shape.size(); ++behind)
      made.inner_ *= static_cast<std::size_t>(shape[behind]);
    return made;
  }
  [[nodiscard]] std::size_t slices() const { return slices_; }
  [[nodiscard]] std::size_t operator()(std::size_t element) const { return element / inner_ % slices_; }

 private:
  std::size_t inner_ = 1, slices_ = 1;
};

std::vector<Slice> slices_of(const NumberGrid& grid, const Levels& levels) {
  std::vector<Slice> slices;
  slices.reserve(grid.by.scale.size());
  for (std::size_t i = 0; i < grid.by.scale.size(); ++i)
    slices.push_back(
        {grid.by.scale[i], grid.by.zero_point.empty() ? 0 : static_cast<double>(grid.by.zero_point[i]), levels});
  return slices;
}

/// Between these two, or symmetric around 0.
Slice slice_between(double low, double high, bool is_symmetric, const Levels& levels) {
  Slice made{0, 0, levels};
  const bool has_sign = levels.lowest < 0;
  if (is_symmetric) {
    const double steps = has_sign ? levels.highest : std::floor((levels.highest - levels.lowest) / 2);
    made.zero = has_sign ? 0 : steps + 1;
    made.scale = std::max(-low, high) / steps;
    return made;
  }
  made.scale = (high - low) / (levels.highest - levels.lowest);
  made.zero = made.scale > 0 ? std::nearbyint(levels.lowest - low / made.scale) : 0;
  made.zero = std::clamp(made.zero, levels.lowest, levels.highest);
  return made;
}

double squares_of(const std::vector<double>& numbers, const Slice& slice, std::size_t stride) {
  double sum = 0;
  for (std::size_t i = 0; i < numbers.size(); i += stride) {
    const double off = slice.rounded(numbers[i]) - numbers[i];
    sum += off * off;
  }
  return sum;
}

/// The two honest grids of a slice: by the whole range, and by least squares.
struct HonestSlice {
  Slice by_range, best;
};

HonestSlice honest_slice(const std::vector<double>& numbers, bool is_symmetric, const Levels& levels) {
  double low = 0, high = 0;
  for (const double number : numbers) {
    low = std::min(low, number);
    high = std::max(high, number);
  }
  HonestSlice honest;
  honest.by_range = honest.best = slice_between(low, high, is_symmetric, levels);
  const std::size_t stride = (numbers.size() + most_tried - 1) / most_tried;
  if (numbers.empty() || !(honest.by_range.scale > 0)) return honest;
  double least = squares_of(numbers, honest.by_range, stride);
  for (int i = 1; i < candidates; ++i) {
    const double part = 1 - (1 - smallest_part) * i / (candidates - 1);
    const Slice tried = slice_between(low * part, high * part, is_symmetric, levels);
    if (const double squares = squares_of(numbers, tried, stride); squares < least) {
      least = squares;
      honest.best = tried;
    }
  }
  return honest;
}

/// Sums of one grid over all numbers.
struct ErrorSum {
  double squares = 0;
  std::size_t clipped = 0;

  void add(double number, const Slice& slice) {
    const double off = slice.rounded(number) - number;
    squares += off * off;
    clipped += slice.clips(number) ? 1 : 0;
  }
  [[nodiscard]] GridError of(std::size_t count) const {
    const auto all = static_cast<double>(std::max<std::size_t>(count, 1));
    return {std::sqrt(squares / all), static_cast<double>(clipped) / all};
  }
};

class JudgedNumbers {
 public:
  JudgedNumbers(std::span<const float> right, std::span<const float> found, const NumberGrid& grid, GridSlices slice_of)
      : right_(right), found_(found), grid_(grid), slice_of_(slice_of) {}

  GridVerdict judge() {
    for (std::size_t i = 0; i < right_.size(); ++i)
      if (std::isfinite(right_[i])) by_slice_[slice_of_(i)].push_back(static_cast<double>(right_[i]));
    measure_found();
    measure_honest();
    return verdict();
  }

 private:
  /// Whether no more than half of the integers are there.
  [[nodiscard]] bool is_half_used() const {
    const Levels half = levels_of(grid_.type, true);
    const auto slices = slices_of(grid_, half);
    for (std::size_t i = 0; i < found_.size(); ++i) {
      const Slice& slice = slices[slice_of_(i)];
      if (!(slice.scale > 0)) continue;
      const double step = static_cast<double>(found_[i]) / slice.scale + slice.zero;
      if (step > half.highest + 0.5 || step < half.lowest - 0.5) return false;
    }
    return true;
  }

  void measure_found() {
    const auto slices = slices_of(grid_, levels_of(grid_.type, false));
    double squares = 0;
    std::size_t clipped = 0;
    for (std::size_t i = 0; i < right_.size(); ++i) {
      const auto right = static_cast<double>(right_[i]);
      if (!std::isfinite(right)) continue;
      const double off = static_cast<double>(found_[i]) - right;
      squares += off * off;
      clipped += slices[slice_of_(i)].clips(right) ? 1 : 0;
      ++count_;
    }
    told_.found = ErrorSum{squares, clipped}.of(count_);
  }

  void measure_honest() {
    const Levels levels = levels_of(grid_.type, is_half_used());
    ErrorSum best, by_range;
    double squared_steps = 0;
    told_.honest_grid.axis = grid_.by.axis;
    for (const std::vector<double>& numbers : by_slice_) {
      const HonestSlice honest = honest_slice(numbers, grid_.is_symmetric(), levels);
      for (const double number : numbers) {
        best.add(number, honest.best);
        by_range.add(number, honest.by_range);
      }
      squared_steps += honest.best.scale * honest.best.scale;
      told_.honest_grid.scale.push_back(honest.best.scale);
      told_.honest_grid.zero_point.push_back(static_cast<std::int64_t>(honest.best.zero));
    }
    told_.honest = best.of(count_);
    by_range_ = by_range.of(count_);
    step_ = std::sqrt(squared_steps / static_cast<double>(std::max<std::size_t>(by_slice_.size(), 1)));
  }

  GridVerdict verdict() {
    // Numbers that happen to lie on the honest grid are no measure: a step as wide has this error, or more than half.
    constexpr double least_part = 0.6;
    const double uniform = std::sqrt(1.0 / 12);
    const double honest = std::max(told_.honest.rms, least_part * step_ * uniform);
    const bool is_far = told_.found.rms > most_times_honest_grid * honest;
    const bool is_clipped =
        told_.found.clipped > most_clipped + told_.honest.clipped && told_.found.rms > told_.honest.rms;
    const bool is_as_range = told_.found.rms <= as_near_as_range * by_range_.rms;
    told_.is_blamed = (is_far || is_clipped) && !is_as_range;
    return told_;
  }

  std::span<const float> right_, found_;
  const NumberGrid& grid_;
  GridSlices slice_of_;
  std::vector<std::vector<double>> by_slice_ = std::vector<std::vector<double>>(slice_of_.slices());
  std::size_t count_ = 0;
  GridError by_range_;
  double step_ = 0;
  GridVerdict told_;
};

}  // namespace

IntegerLevels levels_of(DType type) { return levels_of(type, false); }

bool NumberGrid::is_symmetric() const {
  const std::int64_t middle = is_unsigned(type) ? std::int64_t{1} << (bits_of(type) - 1) : 0;
  if (by.zero_point.empty()) return !is_unsigned(type);
  return std::ranges::all_of(by.zero_point, [&](std::int64_t zero) { return zero == middle; });
}

std::optional<std::vector<float>> on_grid(const Shape& shape, std::span<const float> numbers, const NumberGrid& grid) {
  const auto slice_of = GridSlices::of(shape, numbers.size(), grid.by);
  if (!slice_of) return std::nullopt;
  const auto slices = slices_of(grid, levels_of(grid.type, false));
  std::vector<float> made(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i)
    made[i] = static_cast<float>(slices[(*slice_of)(i)].rounded(static_cast<double>(numbers[i])));
  return made;
}

std::optional<std::vector<double>> steps_of(const Shape& shape, std::span<const float> numbers,
                                            const NumberGrid& grid) {
  const auto slice_of = GridSlices::of(shape, numbers.size(), grid.by);
  if (!slice_of) return std::nullopt;
  const auto slices = slices_of(grid, levels_of(grid.type, false));
  std::vector<double> made(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Slice& slice = slices[(*slice_of)(i)];
    made[i] = slice.scale > 0 ? std::nearbyint(static_cast<double>(numbers[i]) / slice.scale + slice.zero) : slice.zero;
  }
  return made;
}

std::optional<GridVerdict> judge_numbers(const Shape& shape, std::span<const float> right, std::span<const float> found,
                                         const NumberGrid& grid) {
  const auto slice_of = GridSlices::of(shape, right.size(), grid.by);
  if (!slice_of || right.size() != found.size()) return std::nullopt;
  return JudgedNumbers(right, found, grid, *slice_of).judge();
}

}  // namespace culprit
