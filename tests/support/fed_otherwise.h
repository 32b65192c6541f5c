#pragma once
// Targets that are right, and want to be fed otherwise than their source.

#include <string>
#include <vector>

#include "support/conversion_faults.h"
#include "support/conversion_few_bits.h"

namespace culprit::testing {

/// The target does this to its input first, in this order: so it wants what was not done to it yet.
inline Fault done_inside(const std::string& input, const std::vector<onnx::NodeProto>& nodes) {
  return [=](onnx::ModelProto& model) {
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
      onnx::NodeProto first = *node;
      first.set_input(0, input);
      put_in_front(model, first, input);
    }
  };
}

/// (x - shift) / size, for each channel or for all.
inline Fault normalized_inside(const std::string& input, const Floats& shift, const Floats& size) {
  return [=](onnx::ModelProto& model) {
    const Shape shape{std::ssize(shift), 1, 1};
    const std::string by = add_weight(model, Tensor::of<float>(shape, shift)),
                      to = add_weight(model, Tensor::of<float>(shape, size));
    done_inside(input, {make_node("Sub", {input, by}, input + "_shifted"),
                        make_node("Div", {input, to}, input + "_normal")})(model);
  };
}

inline onnx::NodeProto turned_node(const std::string& input, const Wholes& order) {
  onnx::NodeProto node = make_node("Transpose", {input}, input + "_in_order");
  set_attribute(node, "perm", order);
  return node;
}

inline Fault channels_reversed(const std::string& type = "Conv") {
  return wrong_weight(type, 0, 1, [](const Tensor& kernel) { return flipped(kernel, 1); });
}

/// The input has its channels last, and the target takes its numbers in their order, as if they were first.
inline void channels_last_by_reshape(onnx::ModelProto& model) {
  channels_last(model, "x");
  const auto& dims = model.graph().input(0).type().tensor_type().shape().dim();
  const std::vector<std::int64_t> shape{dims[0].dim_value(), dims[3].dim_value(), dims[1].dim_value(),
                                        dims[2].dim_value()};
  const std::string to = add_weight(model, Tensor::of<std::int64_t>({std::ssize(shape)}, shape));
  std::vector<onnx::NodeProto> nodes = all_nodes(model);
  for (onnx::NodeProto& node : nodes)
    if (node.output(0) == "x_turned") node = make_node("Reshape", {"x", to}, "x_turned");
  set_nodes(model, nodes);
}

}  // namespace culprit::testing
