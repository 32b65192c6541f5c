#include "conversion/faults/right_parameter.h"

#include <algorithm>

#include "conversion/map/parameter_order.h"

namespace culprit {
namespace {

using Channels = std::vector<std::int64_t>;

const NetworkLayer& layer_at(const Ways& ways, int layer) {
  return ways.network().layers[static_cast<std::size_t>(layer)];
}

/// The first value that a layer takes and that is no constant; -1: there is none.
int computed_input(const Ways& ways, int layer) {
  for (const int input : layer_at(ways, layer).inputs)
    if (input >= 0 && !ways.is_constant(input)) return input;
  return -1;
}

Channels made_channels(const EvidenceTask& task, int layer) {
  const auto found = task.channel_orders.find(layer);
  return found == task.channel_orders.end() ? Channels{} : found->second;
}

/// The order of the channels that come into a layer of the source.
Channels taken_channels(const EvidenceTask& task, int layer) {
  const int input = computed_input(task.source, layer);
  if (input < 0) return {};
  if (const auto known = task.known.find(input); known != task.known.end()) return known->second.order.channels;
  return made_channels(task, task.source.maker(input));
}

/// Slices along one axis of a tensor in another order, where there are as many.
Tensor with_slices(const Tensor& tensor, const Channels& channels, std::size_t axis) {
  if (axis >= tensor.shape().size() || tensor.shape()[axis] != std::ssize(channels)) return tensor;
  const auto turned = laid_out(tensor, ValueOrder{{}, channels, static_cast<int>(axis)}, tensor.shape());
  return turned ? *turned : tensor;
}

}  // namespace

std::optional<Tensor> right_parameter(const EvidenceTask& task, const DerivedTensor& source,
                                      const TargetParameter& target, const AxisOrder& expected) {
  const auto plain = laid_out(Tensor::of(source.tensor.shape, source.tensor.numbers), expected, target.tensor.shape);
  if (!plain || source.layers.empty()) return std::nullopt;
  const int layer = source.layers.front();
  const Channels taken = taken_channels(task, layer), made = made_channels(task, layer);
  Tensor tensor = *plain;
  for (std::size_t axis = 0; axis < target.axes.size(); ++axis) {
    const char letter = target.axes[axis];
    if (letter == 'I' || letter == 'C') tensor = with_slices(tensor, taken, axis);
    if (letter == 'O') tensor = with_slices(tensor, made, axis);
  }
  if (target.axes.empty() && tensor.shape().size() == 1) tensor = with_slices(tensor, made.empty() ? taken : made, 0);
  return tensor;
}

std::optional<AxisOrder> likely_order(const DerivedTensor& source, const TargetParameter& target) {
  if (source.tensor.numbers.size() != target.tensor.numbers.size()) return std::nullopt;
  if (auto order = expected_order(source, target)) return order;
  const auto orders = axis_orders(source.tensor.shape, target.tensor.shape);
  return orders.empty() ? std::nullopt : std::optional(orders.front());
}

std::vector<float> element_factors(const EvidenceTask& task, const DerivedTensor& source, const TargetParameter& target,
                                   const AxisOrder& expected) {
  const auto axis = source.axes.find('O');
  if (source.factors.empty() || axis == std::string::npos || axis >= source.tensor.shape.size()) return {};
  if (source.tensor.shape[axis] != std::ssize(source.factors)) return {};
  std::int64_t stride = 1;
  for (std::size_t i = axis + 1; i < source.tensor.shape.size(); ++i) stride *= source.tensor.shape[i];
  DerivedTensor factors = source;
  for (std::size_t i = 0; i < factors.tensor.numbers.size(); ++i)
    factors.tensor.numbers[i] =
        source.factors[static_cast<std::size_t>(static_cast<std::int64_t>(i) / stride % source.tensor.shape[axis])];
  const auto laid = right_parameter(task, factors, target, expected);
  if (!laid) return {};
  return {laid->as<float>().begin(), laid->as<float>().end()};
}

}  // namespace culprit
