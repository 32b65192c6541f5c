// Stored tensors and fed values of zeros or ones.

#include <algorithm>
#include <cstring>

#include "reduce/deltas/delta_list.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

/// A tensor of the same type and shape with this number in every element; nothing for strings.
std::optional<Tensor> filled(const Tensor& like, double number) {
  const auto count_constants = static_cast<std::size_t>(like.count());
  std::vector<double> numbers(count_constants, number);
  std::vector<std::byte> bytes(count_constants * sizeof(double));
  if (count_constants > 0) std::memcpy(bytes.data(), numbers.data(), bytes.size());
  auto made = Tensor::from_bytes(DType::f64, like.shape(), std::move(bytes));
  if (!made || like.dtype() == DType::string) return std::nullopt;
  auto casted = cast(*made, like.dtype());
  return casted ? std::optional(std::move(*casted)) : std::nullopt;
}

std::size_t fed(const View& view) { return view.samples.empty() ? 0 : view.samples.front().size(); }

std::size_t count_constants(const View& view) {
  return static_cast<std::size_t>(view.model.graph().initializer_size()) + fed(view);
}

/// Initializers stand before what is fed.
std::optional<Case> fill(const View& view, std::size_t first, std::size_t last, double number) {
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  std::vector<Inputs> samples = view.samples;
  const auto stored = static_cast<std::size_t>(view.model.graph().initializer_size());
  for (std::size_t i = first; i < std::min(last, stored); ++i) {
    auto& tensor = *made->mutable_graph()->mutable_initializer(static_cast<int>(i));
    const auto values = from_proto(tensor);
    const auto simple = values ? filled(*values, number) : std::nullopt;
    if (simple) tensor = to_proto(*simple, tensor.name());
  }
  for (std::size_t i = std::max(first, stored); i < last; ++i) {
    for (Inputs& sample : samples) {
      if (i - stored >= sample.size() || !sample[i - stored].part.empty()) continue;
      if (auto simple = filled(sample[i - stored].value, number)) sample[i - stored].value = std::move(*simple);
    }
  }
  return Case{std::move(made), std::move(samples)};
}

Delta filling(double number) {
  return {Delta::Way::halving,
          false,
          count_constants,
          [number](const View& view, std::size_t first, std::size_t last) { return fill(view, first, last, number); },
          {}};
}

}  // namespace

Delta fill_zeros() { return filling(0); }
Delta fill_ones() { return filling(1); }

}  // namespace culprit
