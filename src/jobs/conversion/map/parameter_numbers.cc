#include "conversion/map/parameter_numbers.h"

#include <algorithm>
#include <utility>

#include "base/as_index.h"

namespace culprit {
namespace {

/// A tensor as slices along an axis: elements before, along and behind it.
struct Sliced {
  std::size_t outer = 1, slices = 1, inner = 1;
};

Sliced sliced(const Shape& shape, std::size_t axis) {
  Sliced counts;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    auto& count = i < axis ? counts.outer : i == axis ? counts.slices : counts.inner;
    count *= static_cast<std::size_t>(shape[i]);
  }
  return counts;
}

}  // namespace

std::string letters_for(const std::string& axes, std::size_t rank) {
  if (axes.size() == rank) return axes;
  const auto height = axes.find('H');
  if (height == std::string::npos || axes.find('W') == std::string::npos) return "";
  std::string letters = axes;
  if (rank + 1 == axes.size()) return letters.erase(height, 1);
  if (rank == axes.size() + 1) return letters.insert(height, 1, 'D');
  return "";
}

std::optional<std::size_t> axis_of(const ParameterNumbers& tensor, char letter) {
  const auto found = tensor.axes.find(letter);
  return found == std::string::npos ? std::nullopt : std::optional(found);
}

std::optional<ParameterNumbers> numbers_of_constant(const Network& network, int value,
                                                    const ComputedConstants& computed) {
  if (value < 0) return std::nullopt;
  const NetworkValue& stored = network.values[as_index(value)];
  const auto found = computed.find(value);
  Result<Tensor> tensor = Tensor();
  if (found != computed.end()) {
    tensor = found->second;
  } else if (stored.constant) {
    tensor = real_constant(stored);
  }
  if (!tensor || !is_float(tensor->dtype())) return std::nullopt;
  tensor = cast(*tensor, DType::f32);
  if (!tensor) return std::nullopt;
  const auto numbers = tensor->as<float>();
  return ParameterNumbers{tensor->shape(), {numbers.begin(), numbers.end()}, ""};
}

ParameterNumbers times_along(ParameterNumbers tensor, std::size_t axis, std::span<const double> factors) {
  const Sliced counts = sliced(tensor.shape, axis);
  std::size_t at = 0;
  for (std::size_t outer = 0; outer < counts.outer; ++outer)
    for (std::size_t slice = 0; slice < counts.slices; ++slice)
      for (std::size_t inner = 0; inner < counts.inner; ++inner, ++at)
        tensor.numbers[at] = static_cast<float>(static_cast<double>(tensor.numbers[at]) * factors[slice]);
  return tensor;
}

ParameterNumbers times(ParameterNumbers tensor, double factor) {
  for (float& number : tensor.numbers) number = static_cast<float>(static_cast<double>(number) * factor);
  return tensor;
}

ParameterNumbers slice_along(const ParameterNumbers& tensor, std::size_t axis, std::int64_t first, std::int64_t count) {
  const Sliced counts = sliced(tensor.shape, axis);
  ParameterNumbers made{tensor.shape, {}, tensor.axes};
  made.shape[axis] = count;
  const auto length = static_cast<std::size_t>(count) * counts.inner;
  made.numbers.reserve(counts.outer * length);
  for (std::size_t outer = 0; outer < counts.outer; ++outer) {
    const auto begin = (outer * counts.slices + static_cast<std::size_t>(first)) * counts.inner;
    made.numbers.insert(made.numbers.end(), tensor.numbers.begin() + static_cast<std::ptrdiff_t>(begin),
                        tensor.numbers.begin() + static_cast<std::ptrdiff_t>(begin + length));
  }
  return made;
}

std::optional<ParameterNumbers> stacked_along(std::span<const ParameterNumbers> tensors, std::size_t axis) {
  if (tensors.empty() || axis >= tensors[0].shape.size()) return std::nullopt;
  ParameterNumbers made{tensors[0].shape, {}, tensors[0].axes};
  made.shape[axis] = 0;
  std::size_t total = 0;
  for (const ParameterNumbers& tensor : tensors) {
    if (tensor.shape.size() != made.shape.size()) return std::nullopt;
    for (std::size_t i = 0; i < made.shape.size(); ++i)
      if (i != axis && tensor.shape[i] != made.shape[i]) return std::nullopt;
    made.shape[axis] += tensor.shape[axis];
    total += tensor.numbers.size();
  }
  made.numbers.reserve(total);
  const std::size_t outer_count = sliced(tensors[0].shape, axis).outer;
  for (std::size_t outer = 0; outer < outer_count; ++outer)
    for (const ParameterNumbers& tensor : tensors) {
      const auto length = static_cast<std::ptrdiff_t>(tensor.numbers.size() / outer_count);
      const auto begin = tensor.numbers.begin() + static_cast<std::ptrdiff_t>(outer) * length;
      made.numbers.insert(made.numbers.end(), begin, begin + length);
    }
  return made;
}

ParameterNumbers with_blocks(const ParameterNumbers& tensor, std::size_t axis, std::span<const int> order) {
  const std::int64_t length = tensor.shape[axis] / std::ssize(order);
  std::vector<ParameterNumbers> blocks;
  blocks.reserve(order.size());
  for (const int block : order) blocks.push_back(slice_along(tensor, axis, block * length, length));
  return stacked_along(blocks, axis).value_or(tensor);
}

}  // namespace culprit
