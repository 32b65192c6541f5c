#pragma once
// Networks in fewer bits, as quantizers and converters to half precision leave them.

#include "support/conversion_rewrites.h"

namespace culprit::testing {

/// For each larger float weight of the model: its name, and what it is.
template <class Visit>
void for_each_large_weight(const onnx::ModelProto& model, const Visit& visit) {
  std::vector<std::string> names;
  for (const auto& tensor : model.graph().initializer())
    if (tensor.data_type() == onnx::TensorProto::FLOAT && tensor.dims_size() >= 2) names.push_back(tensor.name());
  for (const std::string& name : names) visit(name, weight(model, name));
}

/// All uses of `name` take `instead`, and this node makes it.
inline void put_in_front(onnx::ModelProto& model, const onnx::NodeProto& node, const std::string& name) {
  std::vector<onnx::NodeProto> nodes{node};
  for (onnx::NodeProto other : all_nodes(model)) {
    for (int i = 0; i < other.input_size(); ++i)
      if (other.input(i) == name) other.set_input(i, node.output(0));
    nodes.push_back(std::move(other));
  }
  set_nodes(model, nodes);
}

/// Larger weights are stored in half, and a Cast makes float32 of them.
inline void weights_in_half(onnx::ModelProto& model) {
  for_each_large_weight(model, [&](const std::string& name, const Tensor& tensor) {
    onnx::NodeProto node = make_node("Cast", {name}, name + "_wide");
    set_attribute(node, "to", std::int64_t{onnx::TensorProto::FLOAT});
    put_in_front(model, node, name);
    set_weight(model, name, cast(tensor, DType::f16).value());
  });
}

/// Larger weights are stored in int8 with one scale, and a DequantizeLinear makes float32 of them.
inline void weights_in_steps(onnx::ModelProto& model) {
  for_each_large_weight(model, [&](const std::string& name, const Tensor& tensor) {
    float largest = 0;
    for (const float number : tensor.as<float>()) largest = std::max(largest, std::abs(number));
    const float scale = largest > 0 ? largest / 127 : 1;
    std::vector<std::int8_t> steps;
    for (const float number : tensor.as<float>()) steps.push_back(static_cast<std::int8_t>(std::round(number / scale)));
    put_in_front(model,
                 make_node("DequantizeLinear",
                           {name, add_weight(model, Tensor::of<float>({}, {scale})),
                            add_weight(model, Tensor::of<std::int8_t>({}, {0}))},
                           name + "_real"),
                 name);
    set_weight(model, name, Tensor::of<std::int8_t>(tensor.shape(), steps));
  });
}

/// What each Conv and MatMul makes goes through uint8 steps between -range and range.
inline void values_in_steps(onnx::ModelProto& model, float range) {
  std::vector<onnx::NodeProto> nodes;
  const std::string scale = add_weight(model, Tensor::of<float>({}, {2 * range / 255}));
  const std::string zero = add_weight(model, Tensor::of<std::uint8_t>({}, {128}));
  for (onnx::NodeProto node : all_nodes(model)) {
    const bool has_kernel = node.op_type() == "Conv" || node.op_type() == "MatMul" || node.op_type() == "Gemm";
    const std::string made = node.output(0);
    if (has_kernel) node.set_output(0, made + "_exact");
    nodes.push_back(node);
    if (!has_kernel) continue;
    nodes.push_back(make_node("QuantizeLinear", {made + "_exact", scale, zero}, made + "_steps"));
    nodes.push_back(make_node("DequantizeLinear", {made + "_steps", scale, zero}, made));
  }
  set_nodes(model, nodes);
}

}  // namespace culprit::testing
