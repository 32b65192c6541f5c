#include "conversion/coarse/value_mistakes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/as_index.h"
#include "conversion/coarse/weight_grids.h"

namespace culprit {
namespace {

constexpr double most_cut_off = 0.01, most_wide = 2;
constexpr double half_a_step = 0.5;  // what is rounded to the last step is not cut off

struct NumbersRange {
  double low = 0, high = 0;
};

NumbersRange range_of(std::span<const float> numbers) {
  NumbersRange range;
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    range.low = std::min(range.low, static_cast<double>(number));
    range.high = std::max(range.high, static_cast<double>(number));
  }
  return range;
}

/// Do both ends lie equally far from 0, to within a step and a half?
bool is_even(const ValueGrid& grid) { return std::abs(grid.high + grid.low) <= 1.5 * grid.step; }

ValueGrid honest_grid(const ValueGrid& grid, NumbersRange range) {
  if (is_even(grid)) {
    range.high = std::max(range.high, -range.low);
    range.low = -range.high;
  }
  const double steps = std::round((grid.high - grid.low) / grid.step);
  ValueGrid honest = grid;
  honest.step = (range.high - range.low) / steps;
  const double below = is_even(grid) ? std::round(-grid.low / grid.step) : std::round(-range.low / honest.step);
  honest.low = -below * honest.step;
  honest.high = honest.low + steps * honest.step;
  return honest;
}

double share_beyond(const ValueGrid& grid, std::span<const float> numbers) {
  const double low = grid.low - half_a_step * grid.step, high = grid.high + half_a_step * grid.step;
  const auto beyond = std::ranges::count_if(numbers, [&](float number) { return number < low || number > high; });
  return static_cast<double>(beyond) / static_cast<double>(std::max<std::size_t>(numbers.size(), 1));
}

/// Puts the steps of a grid elsewhere: they begin at the smallest number.
ValueGrid moved_to(ValueGrid grid, const NumbersRange& range) {
  const double width = grid.high - grid.low;
  grid.low = std::round(range.low / grid.step) * grid.step;
  grid.high = grid.low + width;
  return grid;
}

/// The layers that bring a value onto steps and back.
struct StepLayers {
  std::vector<int> layers;
  bool is_whole = false;  ///< nothing else takes the integers
};

StepLayers step_layers(const Ways& target, int value) {
  const auto& layers = target.network().layers;
  const auto is_of = [&](int layer, std::string_view type) {
    return layer >= 0 && plain_type(layers[as_index(layer)]) == type;
  };
  int quantizes = -1;
  if (const int maker = target.maker(value); is_of(maker, "DequantizeLinear"))
    quantizes = target.maker(layers[as_index(maker)].inputs.at(0));
  for (const int user : target.users(value))
    if (quantizes < 0 && is_of(user, "QuantizeLinear")) quantizes = user;
  StepLayers found;
  if (!is_of(quantizes, "QuantizeLinear")) return found;
  found.layers.push_back(quantizes);
  found.is_whole = true;
  for (const int user : target.users(layers[as_index(quantizes)].outputs.at(0))) {
    found.is_whole = found.is_whole && is_of(user, "DequantizeLinear");
    found.layers.push_back(user);
  }
  return found;
}

/// A number in the place of a scalar constant, in its own type and shape; nothing where there is none.
void set_scalar(const Network& network, int layer, std::size_t at, double number, std::vector<Edit>& edits) {
  const auto& inputs = network.layers[as_index(layer)].inputs;
  if (at >= inputs.size() || inputs[at] < 0) return;
  const auto& stored = network.values[as_index(inputs[at])].constant;
  if (!stored || stored->count() != 1) return;
  const auto typed = cast(Tensor::of<double>(stored->shape(), {number}), stored->dtype());
  if (typed) edits.emplace_back(SetConstant{inputs[at], *typed, layer, at});
}

}  // namespace

std::optional<ValueMistake> value_mistake(const ValueGrid& grid, std::span<const float> numbers) {
  const NumbersRange range = range_of(numbers);
  if (!(range.high - range.low > 0)) return std::nullopt;
  ValueMistake mistake;
  mistake.honest = honest_grid(grid, range);
  mistake.clipped = share_beyond(grid, numbers);
  const double times = grid.step / mistake.honest.step;
  if (mistake.clipped > most_cut_off) {
    const ValueGrid moved = moved_to(grid, range);
    const bool is_elsewhere = share_beyond(moved, numbers) <= most_cut_off;
    mistake.attribute = is_elsewhere ? "zero_point" : "range";
    if (is_elsewhere) mistake.honest = moved;
    mistake.message = fmt::format(
        "its steps go from {:.4g} to {:.4g}, and the source's numbers from {:.4g} to {:.4g}: {:.3g} % of them are cut "
        "off",
        grid.low, grid.high, range.low, range.high, 100 * mistake.clipped);
  } else if (times > most_wide) {
    mistake.attribute = "scale";
    mistake.message =
        fmt::format("its steps are {:.4g} wide, {:.3g} times those of an honest grid from {:.4g} to {:.4g}", grid.step,
                    times, mistake.honest.low, mistake.honest.high);
  } else {
    return std::nullopt;
  }
  return mistake;
}

std::vector<Edit> steps_of_value(const Ways& target, int value, const ValueGrid& grid) {
  const StepLayers found = step_layers(target, value);
  std::vector<Edit> edits;
  if (!found.is_whole) return edits;
  for (const int layer : found.layers) {
    set_scalar(target.network(), layer, 1, grid.step, edits);
    set_scalar(target.network(), layer, 2, grid.lowest - std::round(grid.low / grid.step), edits);
  }
  return edits;
}

}  // namespace culprit
