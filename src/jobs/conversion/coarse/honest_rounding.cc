#include "conversion/coarse/honest_rounding.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "base/as_index.h"

namespace culprit {
namespace {

/// Numbers of float32 around this one are whole: what is added and taken away again is rounded.
constexpr float whole_numbers_from = 12582912;  // 1.5 x 2^23

double steps_of(DType type) { return std::ldexp(1.0, static_cast<int>(bits_of(type))) - 1; }

/// Elements of one slice along the axis of the output channels; all where it is not known.
struct ChannelSlices {
  std::int64_t inner = 1, channels = 1;
};

ChannelSlices slices_of(const Parameter& parameter, const Shape& shape) {
  const auto axis = parameter.axes.find('O');
  if (axis == std::string::npos || axis >= shape.size()) return {};
  ChannelSlices slices{1, shape[axis]};
  for (std::size_t behind = axis + 1; behind < shape.size(); ++behind) slices.inner *= shape[behind];
  return slices;
}

Tensor on_steps(const Tensor& tensor, DType type, const ChannelSlices& slices) {
  std::vector<float> numbers(tensor.as<float>().begin(), tensor.as<float>().end());
  const auto channel_of = [&](std::size_t i) {
    return static_cast<std::size_t>(static_cast<std::int64_t>(i) / slices.inner % slices.channels);
  };
  std::vector<float> largest(static_cast<std::size_t>(slices.channels), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (std::isfinite(numbers[i])) largest[channel_of(i)] = std::max(largest[channel_of(i)], std::abs(numbers[i]));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto step = static_cast<float>(2 * static_cast<double>(largest[channel_of(i)]) / (steps_of(type) - 1));
    if (step > 0 && std::isfinite(numbers[i])) numbers[i] = std::round(numbers[i] / step) * step;
  }
  return Tensor::of<float>(tensor.shape(), numbers);
}

/// The nearest numbers of a narrow type; nothing where the tensor is none of floats.
std::optional<Tensor> rounded(const Tensor& tensor, DType type, const ChannelSlices& slices) {
  if (tensor.dtype() != DType::f32) return std::nullopt;
  if (!is_float(type)) return on_steps(tensor, type, slices);
  const auto narrow = cast(tensor, type);
  const auto wide = narrow ? cast(*narrow, DType::f32) : narrow;
  return wide ? std::optional(*wide) : std::nullopt;
}

/// Values of parameters that the target holds as they are.
std::set<int> held_as_they_are(const ConversionMap& map) {
  std::set<int> values;
  for (const ParameterMatch& match : map.parameters)
    if (match.distance <= held_as_it_is)
      values.insert(map.derived[match.source].parameters.begin(), map.derived[match.source].parameters.end());
  return values;
}

InsertBehind one_behind(int value, const std::string& type, std::map<std::string, Hyper> hyper,
                        std::vector<Tensor> constants) {
  NetworkLayer layer;
  layer.type = type;
  layer.hyper = std::move(hyper);
  return {value, {}, std::move(layer), std::move(constants)};
}

/// Does it make a value that does not follow from constants alone?
bool makes_any(const Ways& source, const NetworkLayer& layer) {
  return std::ranges::any_of(layer.outputs, [&](int value) { return value >= 0 && !source.is_constant(value); });
}

bool holds_weights(const Ways& source, const NetworkLayer& layer) {
  return std::ranges::any_of(layer.parameters, [&](const Parameter& parameter) {
    const auto& stored = source.network().values[as_index(parameter.value)].constant;
    return parameter.role == "kernel" || (stored && stored->shape().size() >= 2);
  });
}

class HonestRounding {
 public:
  HonestRounding(const Ways& source, const CoarseTypes& types, const std::map<int, ValueSketch>& sketches)
      : source_(source), types_(types), sketches_(sketches) {}

  /// Rounds only what these layers hold, take or give.
  void round_only(std::set<int> layers) { only_ = std::move(layers); }
  void round_as(const TargetGrids& grids) { grids_ = &grids; }

  [[nodiscard]] std::vector<Edit> made(const ConversionMap& map) && {
    if (types_.weights != DType::undefined) round_weights(held_as_they_are(map));
    if (types_.values != DType::undefined) round_values();
    return std::move(edits_);
  }

 private:
  void round_weights(const std::set<int>& kept) {
    std::set<int> done = kept;
    const auto& layers = source_.network().layers;
    for (std::size_t number = 0; number < layers.size(); ++number)
      for (const Parameter& parameter : layers[number].parameters) {
        if (!is_meant(static_cast<int>(number))) continue;
        const auto& stored = source_.network().values[as_index(parameter.value)].constant;
        if (!stored || !done.insert(parameter.value).second) continue;
        if (grids_ != nullptr && grids_->weights.contains(parameter.value)) {
          edits_.emplace_back(SetConstant{parameter.value, grids_->weights.at(parameter.value)});
          continue;
        }
        if (stored->shape().size() < 2) continue;
        const ChannelSlices slices = types_.is_by_channel ? slices_of(parameter, stored->shape()) : ChannelSlices{};
        if (auto tensor = rounded(*stored, types_.weights, slices))
          edits_.emplace_back(SetConstant{parameter.value, std::move(*tensor)});
      }
  }

  void round_values() {
    if (grids_ != nullptr && !grids_->values.empty()) {
      for (const auto& [value, grid] : grids_->values)
        if (touches_meant(value)) through_grid(value, grid);
      return;
    }
    for (const int value : source_.values())
      if (is_rounded(value) && touches_meant(value))
        is_float(types_.values) ? through_half(value) : through_steps(value);
  }

  [[nodiscard]] bool is_meant(int layer) const { return !only_ || only_->contains(layer); }

  [[nodiscard]] bool touches_meant(int value) const {
    const auto meant = [this](int layer) { return is_meant(layer); };
    return !only_ || is_given_by_meant(value) || std::ranges::any_of(source_.users(value), meant);
  }

  /// Does a meant layer make the value? Or its activation, where the target rounds only behind that?
  [[nodiscard]] bool is_given_by_meant(int value) const {
    const int maker = source_.maker(value);
    if (maker < 0 || is_meant(maker)) return maker >= 0;
    if (grids_ == nullptr || grids_->values.empty()) return false;
    const auto before = source_.before(value);
    const bool is_activation = before.size() == 1 && !holds_weights(source_, source_.network().layers[as_index(maker)]);
    return is_activation && !grids_->values.contains(before.front()) && source_.users(before.front()).size() == 1 &&
           is_given_by_meant(before.front());
  }

  [[nodiscard]] bool is_rounded(int value) const {
    const auto sketch = sketches_.find(value);
    if (sketch == sketches_.end() || sketch->second.by_sample.empty()) return false;
    if (sketch->second.by_sample.front().dtype != DType::f32) return false;
    return is_float(types_.values) || touches_kernel(value);
  }

  [[nodiscard]] bool touches_kernel(int value) const {
    const auto has_kernel = [&](int layer) {
      return layer >= 0 && parameter_of(source_.network().layers[as_index(layer)], "kernel") != nullptr;
    };
    return has_kernel(source_.maker(value)) || std::ranges::any_of(source_.users(value), has_kernel);
  }

  void through_half(int value) {
    const auto to = [](DType type) { return std::map<std::string, Hyper>{{"to", static_cast<std::int64_t>(type)}}; };
    edits_.emplace_back(one_behind(value, "Cast", to(types_.values), {}));
    edits_.emplace_back(one_behind(value, "Cast", to(DType::f32), {}));
  }

  /// x / step, to a whole number, times step.
  void through_steps(int value) {
    double low = 0, high = 0;
    for (const SampleSketch& sample : sketches_.at(value).by_sample) {
      low = std::min(low, sample.some.front());
      high = std::max(high, sample.some.back());
    }
    const double step = (high - low) / steps_of(types_.values);
    if (step > 0 && std::isfinite(step)) in_steps(value, static_cast<float>(step));
  }

  /// The value goes through the target's own steps. What is beyond their ends is cut off, where there is any.
  void through_grid(int value, const ValueGrid& grid) {
    const auto seen = sketches_.find(value);
    if (seen == sketches_.end()) return;
    const bool is_cut = std::ranges::any_of(seen->second.by_sample, [&](const SampleSketch& sample) {
      return sample.some.front() < grid.low || sample.some.back() > grid.high;
    });
    const auto scalar = [](double number) { return Tensor::of<float>({}, {static_cast<float>(number)}); };
    if (is_cut) edits_.emplace_back(one_behind(value, "Clip", {}, {scalar(grid.low), scalar(grid.high)}));
    in_steps(value, static_cast<float>(grid.step));
  }

  void in_steps(int value, float step) {
    const auto scalar = [](float number) { return Tensor::of<float>({}, {number}); };
    edits_.emplace_back(one_behind(value, "Div", {}, {scalar(step)}));
    edits_.emplace_back(one_behind(value, "Add", {}, {scalar(whole_numbers_from)}));
    edits_.emplace_back(one_behind(value, "Sub", {}, {scalar(whole_numbers_from)}));
    edits_.emplace_back(one_behind(value, "Mul", {}, {scalar(step)}));
  }

  const Ways& source_;
  const CoarseTypes& types_;
  const std::map<int, ValueSketch>& sketches_;
  std::optional<std::set<int>> only_;   // nothing: all layers
  const TargetGrids* grids_ = nullptr;  // of the target; null: honest ones
  std::vector<Edit> edits_;
};

}  // namespace

std::vector<Edit> honest_rounding(const Ways& source, const ConversionMap& map, const CoarseTypes& types,
                                  const std::map<int, ValueSketch>& sketches) {
  HonestRounding rounding(source, types, sketches);
  return std::move(rounding).made(map);
}

std::vector<Edit> rounding_of_layers(const RoundingTask& task, const std::set<int>& layers) {
  HonestRounding rounding(task.source, task.types, task.sketches);
  rounding.round_only(layers);
  rounding.round_as(task.grids);
  return std::move(rounding).made(task.map);
}

std::vector<int> layers_that_round(const RoundingTask& task) {
  std::vector<int> layers;
  const auto& all = task.source.network().layers;
  for (std::size_t number = 0; number < all.size(); ++number) {
    const NetworkLayer& layer = all[number];
    if (!is_float(task.types.values) && !holds_weights(task.source, layer)) continue;
    if (is_float(task.types.values) && (is_mover(layer) || !makes_any(task.source, layer))) continue;
    const auto alone = static_cast<int>(number);
    if (!rounding_of_layers(task, {alone}).empty()) layers.push_back(alone);
  }
  return layers;
}

}  // namespace culprit
