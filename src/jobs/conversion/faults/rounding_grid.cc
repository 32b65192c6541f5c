#include "conversion/faults/rounding_grid.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {
namespace {

using Doubles = std::vector<double>;
constexpr std::size_t fewest = 4;
constexpr double next_to = 1e-6;  ///< of the root mean square
constexpr int most_decimals = 6, least_digits = 2, most_digits = 6, most_steps = 256;

Doubles without_factor(std::span<const float> numbers, std::span<const float> factor) {
  Doubles found(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < factor.size() && i < found.size(); ++i)
    if (factor[i] != 0) found[i] /= static_cast<double>(factor[i]);
  return found;
}

double rms_of(const Doubles& numbers) {
  double sum = 0;
  for (const double number : numbers) sum += number * number;
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

/// Is each number on the grid, and none further from what it was than the grid makes it? So a tie may go either way.
bool all_lie_on(const Doubles& right, const Doubles& found, double off,
                const std::function<Doubles(Doubles)>& rounded) {
  const Doubles right_there = rounded(right), found_there = rounded(found);
  if (right_there.size() != right.size() || found_there.size() != found.size()) return false;
  for (std::size_t i = 0; i < right.size(); ++i)
    if (!(std::abs(found[i] - found_there[i]) <= off &&
          std::abs(found[i] - right[i]) <= std::abs(right_there[i] - right[i]) + off))
      return false;
  return true;
}

/// Each number in a narrower type and back; empty where that type cannot be had.
Doubles narrowed(const Doubles& numbers, DType type) {
  const std::vector<float> floats(numbers.begin(), numbers.end());
  const auto narrow = cast(Tensor::of<float>({static_cast<std::int64_t>(floats.size())}, floats), type);
  Doubles found;
  if (!narrow) return found;
  found.reserve(numbers.size());
  for (std::int64_t i = 0; i < narrow->count(); ++i) found.push_back(narrow->number(i));
  return found;
}

template <class Round>
auto each(Round round) {
  return [round](Doubles numbers) {
    for (double& number : numbers) number = round(number);
    return numbers;
  };
}

double to_digits(double number, int digits) {
  if (number == 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(std::abs(number))) - (digits - 1));
  return std::round(number / unit) * unit;
}

/// The step of which all numbers are multiples, among those that 8 bits would have for them.
std::optional<double> step_of(const Doubles& right, const Doubles& found, double off) {
  const auto [least, most] = std::ranges::minmax_element(found);
  const double largest = std::max(std::abs(*least), std::abs(*most));
  for (const double step : {largest / 127, largest / 128, (*most - *least) / 255, largest / 7, (*most - *least) / 15}) {
    if (!(step > 0) || (*most - *least) / step > most_steps) continue;
    bool fits = true;
    for (std::size_t i = 0; i < found.size() && fits; ++i) {
      const double count = found[i] / step;
      fits = std::abs(count - std::round(count)) < 1e-3 && std::abs(found[i] - right[i]) <= step * 0.501 + off;
    }
    if (fits) return step;
  }
  return std::nullopt;
}

}  // namespace

std::string to_string(const RoundingGrid& grid) {
  switch (grid.kind) {
    case RoundingGrid::Kind::float16:
      return "float16";
    case RoundingGrid::Kind::bfloat16:
      return "bfloat16";
    case RoundingGrid::Kind::decimals:
      return fmt::format("{} decimal{}", grid.digits, grid.digits == 1 ? "" : "s");
    case RoundingGrid::Kind::digits:
      return fmt::format("{} significant digits", grid.digits);
    case RoundingGrid::Kind::steps:
      break;
  }
  return fmt::format("multiples of {:.3g}", grid.step);
}

std::optional<RoundingGrid> grid_of(std::span<const float> right, std::span<const float> found,
                                    std::span<const float> factor) {
  if (right.size() < fewest || right.size() != found.size()) return std::nullopt;
  std::size_t differ = 0;
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (!std::isfinite(right[i]) || !std::isfinite(found[i])) return std::nullopt;
    if (right[i] != found[i]) ++differ;
  }
  if (2 * differ <= right.size() || std::ranges::count(found, 0.0F) == std::ssize(found)) return std::nullopt;
  const Doubles one = without_factor(right, factor), other = without_factor(found, factor);
  const double off = next_to * rms_of(one);
  if (all_lie_on(one, other, off, [](const Doubles& numbers) { return narrowed(numbers, DType::f16); }))
    return RoundingGrid{RoundingGrid::Kind::float16};
  if (all_lie_on(one, other, off, [](const Doubles& numbers) { return narrowed(numbers, DType::bf16); }))
    return RoundingGrid{RoundingGrid::Kind::bfloat16};
  for (int digits = 1; digits <= most_decimals; ++digits) {
    const double unit = std::pow(10, digits);
    if (all_lie_on(one, other, off, each([unit](double number) { return std::round(number * unit) / unit; })))
      return RoundingGrid{RoundingGrid::Kind::decimals, digits};
  }
  for (int digits = least_digits; digits <= most_digits; ++digits)
    if (all_lie_on(one, other, off, each([digits](double number) { return to_digits(number, digits); })))
      return RoundingGrid{RoundingGrid::Kind::digits, digits};
  if (const auto step = step_of(one, other, off)) return RoundingGrid{RoundingGrid::Kind::steps, 0, *step};
  return std::nullopt;
}

}  // namespace culprit
