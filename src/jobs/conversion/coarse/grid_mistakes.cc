#include "conversion/coarse/grid_mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace culprit {
namespace {

constexpr double as_good_as_honest = 2.5;  // times the honest error: what another grid for the same integers may leave
constexpr double same_step = 0.6;          // of a step: integers that are as near as that are the nearest
constexpr double right_bias = 1e-3, right_factor = 1e-2;  // of the size of a bias
constexpr double fewest_clipped = 0.01;

double rms_between(std::span<const float> one, std::span<const float> other) {
  double sum = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double off = static_cast<double>(one[i]) - static_cast<double>(other[i]);
    sum += off * off;
  }
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(one.size(), 1)));
}

double rms_of(std::span<const float> numbers) { return rms_between(numbers, std::vector<float>(numbers.size(), 0.0F)); }

double rms_of_steps(const Quantization& by) {
  double sum = 0;
  for (const double scale : by.scale) sum += scale * scale;
  return std::sqrt(sum / static_cast<double>(std::max<std::size_t>(by.scale.size(), 1)));
}

/// Elements that share a scale.
std::vector<std::vector<std::size_t>> slices_in(const Shape& shape, const Quantization& by, std::size_t count) {
  std::vector<std::vector<std::size_t>> slices(std::max<std::size_t>(by.scale.size(), 1));
  std::size_t inner = 1;
  if (slices.size() > 1)
    for (auto axis = static_cast<std::size_t>(by.axis) + 1; axis < shape.size(); ++axis)
      inner *= static_cast<std::size_t>(shape[axis]);
  for (std::size_t i = 0; i < count; ++i) slices[i / inner % slices.size()].push_back(i);
  return slices;
}

/// right = factor x found + summand, by least squares.
struct Line {
  double factor = 1, summand = 0;
};

class MistakeOfWeight {
 public:
  MistakeOfWeight(const WeightGrid& weight, std::span<const float> right, const GridVerdict& verdict)
      : weight_(weight),
        right_(right),
        found_(weight.numbers.numbers),
        verdict_(verdict),
        slices_(slices_in(weight.numbers.shape, weight.grid.by, right.size())),
        enough_(as_good_as_honest *
                std::max(verdict.honest.rms, rms_of_steps(verdict.honest_grid) * std::sqrt(1.0 / 12))) {}

  std::optional<GridMistake> mistake() {
    if (is_shifted()) return told("zero_point", shift_);
    if (is_multiplied(false)) return told("scale", factor_words());
    if (is_of_another_axis())
      return told("axis", fmt::format("the scales lie along another axis than {}", weight_.grid.by.axis));
    if (is_nearest_on_its_grid()) return of_bad_grid();
    if (is_multiplied(true)) return told("scale, zero_point", factor_words());
    return std::nullopt;
  }

 private:
  GridMistake told(const std::string& attribute, const std::string& why) const {
    return {attribute,
            fmt::format("{} weights are off by {:.2g} (rms), honest ones by {:.2g}: {}", name_of(weight_.grid.type),
                        verdict_.found.rms, verdict_.honest.rms, why),
            verdict_.found,
            verdict_.honest,
            verdict_.honest_grid,
            true};
  }

  /// Other zero points: each slice is off by a whole number of steps.
  bool is_shifted() {
    std::vector<float> made(found_.begin(), found_.end());
    double furthest = 0;
    for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
      const double scale = weight_.grid.by.scale[slice];
      double mean = 0;
      for (const std::size_t i : slices_[slice])
        mean += static_cast<double>(found_[i]) - static_cast<double>(right_[i]);
      mean /= static_cast<double>(std::max<std::size_t>(slices_[slice].size(), 1));
      const double steps = scale > 0 ? std::nearbyint(mean / scale) : 0;
      if (std::abs(steps) > std::abs(furthest)) furthest = steps;
      for (const std::size_t i : slices_[slice])
        made[i] = static_cast<float>(static_cast<double>(made[i]) - steps * scale);
    }
    shift_ = fmt::format("the zero point is off by {:.0f}", std::abs(furthest));
    return furthest != 0 && rms_between(made, right_) <= enough_;
  }

  [[nodiscard]] Line line_of(const std::vector<std::size_t>& slice, bool has_summand) const {
    double found = 0, right = 0, both = 0, squares = 0;
    const auto count = static_cast<double>(std::max<std::size_t>(slice.size(), 1));
    for (const std::size_t i : slice) {
      found += static_cast<double>(found_[i]) / count;
      right += static_cast<double>(right_[i]) / count;
    }
    if (!has_summand) found = right = 0;
    for (const std::size_t i : slice) {
      const double one = static_cast<double>(found_[i]) - found;
      both += one * (static_cast<double>(right_[i]) - right);
      squares += one * one;
    }
    const double factor = squares > 0 ? both / squares : 1;
    return {factor, right - factor * found};
  }

  bool is_multiplied(bool has_summand) {
    std::vector<float> made(found_.begin(), found_.end());
    factor_ = 1;
    for (std::size_t slice = 0; slice < slices_.size(); ++slice) {
      const Line line = line_of(slices_[slice], has_summand);
      for (const std::size_t i : slices_[slice])
        made[i] = static_cast<float>(static_cast<double>(made[i]) * line.factor + line.summand);
      if (!(line.factor > 0)) continue;
      if (std::abs(std::log(line.factor)) > std::abs(std::log(factor_))) {
        factor_ = line.factor;
        scale_ = weight_.grid.by.scale[slice];
      }
    }
    return rms_between(made, right_) <= enough_;
  }
  [[nodiscard]] std::string factor_words() const {
    return fmt::format("the scale {:.2g} is {:.3g} times what the numbers need", scale_, 1 / factor_);
  }

  bool is_of_another_axis() const {
    const auto steps = steps_of(weight_.numbers.shape, found_, weight_.grid);
    if (!steps || weight_.grid.by.scale.size() < 2) return false;
    for (std::size_t axis = 0; axis < weight_.numbers.shape.size(); ++axis) {
      Quantization other = weight_.grid.by;
      if (static_cast<int>(axis) == other.axis || weight_.numbers.shape[axis] != std::ssize(other.scale)) continue;
      other.axis = static_cast<int>(axis);
      std::vector<float> made(steps->size());
      const auto slices = slices_in(weight_.numbers.shape, other, made.size());
      for (std::size_t slice = 0; slice < slices.size(); ++slice)
        for (const std::size_t i : slices[slice]) {
          const auto zero = other.zero_point.empty() ? 0 : static_cast<double>(other.zero_point[slice]);
          made[i] = static_cast<float>(other.scale[slice] * ((*steps)[i] - zero));
        }
      if (rms_between(made, right_) <= enough_) return true;
    }
    return false;
  }

  [[nodiscard]] bool is_nearest_on_its_grid() const {
    const auto nearest = on_grid(weight_.numbers.shape, right_, weight_.grid);
    return nearest && rms_between(*nearest, found_) <= same_step * rms_of_steps(weight_.grid.by);
  }

  [[nodiscard]] GridMistake of_bad_grid() const {
    const double times = rms_of_steps(weight_.grid.by) / rms_of_steps(verdict_.honest_grid);
    const bool is_small = verdict_.found.clipped > fewest_clipped + verdict_.honest.clipped;
    GridMistake made =
        is_small
            ? told("range", fmt::format("{:.2g} % of the numbers are beyond the range", 100 * verdict_.found.clipped))
            : told("scale", fmt::format("its step is {:.3g} times what the numbers need", times));
    made.is_other_grid = false;
    return made;
  }

  const WeightGrid& weight_;
  std::span<const float> right_, found_;
  const GridVerdict& verdict_;
  std::vector<std::vector<std::size_t>> slices_;
  double enough_ = 0, factor_ = 1, scale_ = 0;
  std::string shift_;
};

std::optional<GridMistake> mistake_of_bias(const WeightGrid& bias, std::span<const float> right) {
  const std::vector<float>& found = bias.numbers.numbers;
  const auto nearest = on_grid(bias.numbers.shape, right, bias.grid);
  const auto verdict = judge_numbers(bias.numbers.shape, right, found, bias.grid);
  const double size = rms_of(right), step = rms_of_steps(bias.grid.by);
  if (!nearest || !verdict || verdict->found.rms <= std::max(step, right_bias * size)) return std::nullopt;
  const auto told = [&](const std::string& attribute, const std::string& why) {
    return GridMistake{
        attribute,
        fmt::format("the {} bias is off by {:.2g} (rms): {}", name_of(bias.grid.type), verdict->found.rms, why),
        verdict->found,
        verdict->honest,
        bias.grid.by,
        true};
  };
  if (verdict->found.clipped > 0)
    return told("bias", fmt::format("with a scale of {:.2g}, {} of {} numbers are beyond what {} can hold", step,
                                    std::llround(verdict->found.clipped * static_cast<double>(right.size())),
                                    right.size(), name_of(bias.grid.type)));
  if (std::ranges::all_of(found, [](float number) { return number == 0; }))
    return told("bias", fmt::format("all {} numbers are 0", right.size()));
  double both = 0, squares = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    both += static_cast<double>(right[i]) * static_cast<double>(found[i]);
    squares += static_cast<double>(found[i]) * static_cast<double>(found[i]);
  }
  std::vector<float> made(found);
  for (float& number : made) number = static_cast<float>(static_cast<double>(number) * both / squares);
  if (right.size() < 2 || !(both > 0) || rms_between(made, right) > right_factor * size) return std::nullopt;
  return told("scale", fmt::format("the scale {:.2g} is {:.3g} times what the numbers need", step, squares / both));
}

}  // namespace

std::optional<GridMistake> grid_mistake(const WeightGrid& weight, std::span<const float> right) {
  if (weight.numbers.numbers.size() != right.size() || right.empty()) return std::nullopt;
  if (weight.is_bias() || bits_of(weight.grid.type) > 16) return mistake_of_bias(weight, right);
  const auto verdict = judge_numbers(weight.numbers.shape, right, weight.numbers.numbers, weight.grid);
  if (!verdict || !verdict->is_blamed) return std::nullopt;
  return MistakeOfWeight(weight, right, *verdict).mistake();
}

}  // namespace culprit
