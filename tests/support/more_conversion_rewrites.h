#pragma once
// More of what converters do to a network without a fault, beside conversion_rewrites.h.

#include <onnx/onnx_pb.h>

#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "support/conversion_rewrites.h"

namespace culprit::testing {

using Nodes = std::vector<onnx::NodeProto>;

/// Each node becomes what `to` appends for it.
inline void each_node(onnx::ModelProto& model, const std::function<void(onnx::NodeProto, Nodes&)>& to) {
  Nodes made;
  for (const auto& node : all_nodes(model)) to(node, made);
  set_nodes(model, made);
  drop_unused_weights(model);
}
inline Wholes attribute_of(const onnx::NodeProto& node, const std::string& name) {
  for (const auto& attribute : node.attribute())
    if (attribute.name() == name) return {attribute.ints().begin(), attribute.ints().end()};
  return {};
}
inline bool is_weight(const onnx::ModelProto& model, const std::string& name) {
  return std::ranges::any_of(model.graph().initializer(), [&](const auto& tensor) { return tensor.name() == name; });
}
inline std::string add_wholes(onnx::ModelProto& model, const Wholes& numbers) {
  return add_weight(model, Tensor::of<std::int64_t>({std::ssize(numbers)}, numbers));
}

/// Pads of convolutions as operators before them.
inline void pads_apart(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    const Wholes pads = attribute_of(node, "pads");
    if (node.op_type() == "Conv" && std::ranges::any_of(pads, [](auto pad) { return pad != 0; })) {
      Wholes all{0, 0};
      const auto half = static_cast<std::ptrdiff_t>(pads.size() / 2);
      all.insert(all.end(), pads.begin(), pads.begin() + half);
      all.insert(all.end(), {0, 0});
      all.insert(all.end(), pads.begin() + half, pads.end());
      const std::string padded = node.output(0) + "_padded";
      made.push_back(make_node("Pad", {node.input(0), add_wholes(model, all)}, padded));
      node.set_input(0, padded);
      set_attribute(node, "pads", Wholes(pads.size(), 0));
    }
    made.push_back(node);
  });
}

/// Convolutions along one axis as such of pictures of one row.
inline void lines_as_pictures(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    if (node.op_type() != "Conv" || weight(model, node.input(1)).shape().size() != 3) {
      made.push_back(node);
      return;
    }
    const Tensor kernel = weight(model, node.input(1));
    const Shape& shape = kernel.shape();
    set_weight(model, node.input(1), Tensor::of<float>({shape[0], shape[1], 1, shape[2]}, floats_of(kernel)));
    const std::string to = node.output(0), row = add_wholes(model, {2});
    made.push_back(make_node("Unsqueeze", {node.input(0), row}, to + "_rows"));
    const Wholes pads = attribute_of(node, "pads"), strides = attribute_of(node, "strides");
    set_attribute(node, "kernel_shape", Wholes{1, shape[2]});
    set_attribute(node, "pads", Wholes{0, pads.at(0), 0, pads.at(1)});
    set_attribute(node, "strides", Wholes{1, strides.at(0)});
    node.set_input(0, to + "_rows");
    node.set_output(0, to + "_row");
    made.push_back(node);
    made.push_back(make_node("Squeeze", {to + "_row", row}, to));
  });
}

inline const onnx::NodeProto& user_of(const Nodes& nodes, const std::string& value, const std::string& type) {
  for (const auto& node : nodes)
    if (node.op_type() == type && std::ranges::find(node.input(), value) != node.input().end()) return node;
  throw std::runtime_error("no " + type + " takes " + value);
}

/// LayerNormalization for its pieces.
inline void whole_normalizations(onnx::ModelProto& model) {
  const Nodes nodes = all_nodes(model);
  std::set<std::string> pieces;
  std::map<std::string, onnx::NodeProto> wholes;  // by the last of the pieces
  for (const auto& node : nodes) {
    if (node.op_type() != "Sub") continue;
    const auto& square = user_of(nodes, node.output(0), "Mul");
    const auto& variance = user_of(nodes, square.output(0), "ReduceMean");
    const auto& sum = user_of(nodes, variance.output(0), "Add");
    const auto& root = user_of(nodes, sum.output(0), "Sqrt");
    const auto& normal = user_of(nodes, node.output(0), "Div");
    const auto& scaled = user_of(nodes, normal.output(0), "Mul");
    const auto& last = user_of(nodes, scaled.output(0), "Add");
    for (const auto* piece : {&node, &square, &variance, &sum, &root, &normal, &scaled}) pieces.insert(piece->name());
    pieces.insert(maker_of(model, node.input(1))->name());
    onnx::NodeProto whole =
        make_node("LayerNormalization", {node.input(0), scaled.input(1), last.input(1)}, last.output(0));
    set_attribute(whole, "axis", std::int64_t{-1});
    set_attribute(whole, "epsilon", static_cast<float>(weight(model, sum.input(1)).number(0)));
    wholes[last.name()] = whole;
  }
  each_node(model, [&](const onnx::NodeProto& node, Nodes& made) {
    if (pieces.contains(node.name())) return;
    const auto whole = wholes.find(node.name());
    made.push_back(whole == wholes.end() ? node : whole->second);
  });
}

inline bool divides_by_root_of_two(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  if (node.op_type() != "Div" || !is_weight(model, node.input(1))) return false;
  const Tensor by = weight(model, node.input(1));
  return by.count() == 1 && std::abs(by.number(0) - std::sqrt(2.0)) < 1e-6;
}

/// GELU with a product where the source divides.
inline void gelu_by_product(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    if (divides_by_root_of_two(model, node)) {
      node.set_op_type("Mul");
      node.set_input(1, add_weight(model, Tensor::of<float>({}, {std::sqrt(0.5F)})));
    }
    made.push_back(node);
  });
}

/// GELU by Tanh: not the same, but meant to be.
inline void gelu_by_tanh(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    if (divides_by_root_of_two(model, node)) {
      const std::string x = node.input(0), to = node.output(0);
      made.push_back(make_node("Mul", {x, x}, to + "_square"));
      made.push_back(make_node("Mul", {to + "_square", x}, to + "_cube"));
      const std::string part = add_weight(model, Tensor::of<float>({}, {0.044715F}));
      made.push_back(make_node("Mul", {to + "_cube", part}, to + "_part"));
      made.push_back(make_node("Add", {x, to + "_part"}, to + "_sum"));
      const std::string factor = add_weight(model, Tensor::of<float>({}, {0.7978846F}));
      made.push_back(make_node("Mul", {to + "_sum", factor}, to));
      return;
    }
    if (node.op_type() == "Erf") node.set_op_type("Tanh");
    made.push_back(node);
  });
}

/// Weights of [in, out] one behind the other along `out`.
inline Tensor beside_each_other(const std::vector<Tensor>& parts) {
  Floats numbers;
  const bool is_matrix = parts.at(0).shape().size() == 2;
  const std::int64_t rows = is_matrix ? parts[0].shape()[0] : 1, width = parts[0].shape().back();
  for (std::int64_t row = 0; row < rows; ++row)
    for (const Tensor& part : parts)
      for (std::int64_t i = 0; i < width; ++i) numbers.push_back(static_cast<float>(part.number(row * width + i)));
  const std::int64_t all = width * std::ssize(parts);
  return Tensor::of<float>(is_matrix ? Shape{rows, all} : Shape{all}, numbers);
}

/// Three products of one value (query, key, value), each with its addition, as one, which is cut.
inline void stacked_projections(onnx::ModelProto& model) {
  const Nodes nodes = all_nodes(model);
  std::map<std::string, Nodes> by_input;
  for (const auto& node : nodes)
    if (node.op_type() == "MatMul" && is_weight(model, node.input(1))) by_input[node.input(0)].push_back(node);
  std::set<std::string> gone;
  each_node(model, [&](const onnx::NodeProto& node, Nodes& made) {
    if (gone.contains(node.name())) return;
    const auto group = node.op_type() == "MatMul" ? by_input.find(node.input(0)) : by_input.end();
    if (group == by_input.end() || group->second.size() != 3) {
      made.push_back(node);
      return;
    }
    std::vector<Tensor> kernels, biases;
    onnx::NodeProto cut = make_node("Split", {}, node.output(0) + "_parts");
    cut.clear_output();
    for (const auto& product : group->second) {
      const auto& sum = user_of(nodes, product.output(0), "Add");
      kernels.push_back(weight(model, product.input(1)));
      biases.push_back(weight(model, sum.input(1)));
      cut.add_output(sum.output(0));
      gone.insert({product.name(), sum.name()});
    }
    const std::string all = node.output(0) + "_all", shifted = node.output(0) + "_shifted";
    made.push_back(make_node("MatMul", {node.input(0), add_weight(model, beside_each_other(kernels))}, all));
    made.push_back(make_node("Add", {all, add_weight(model, beside_each_other(biases))}, shifted));
    cut.add_input(shifted);
    cut.add_input(add_wholes(model, Wholes(3, kernels[0].shape()[1])));
    set_attribute(cut, "axis", std::int64_t{-1});
    made.push_back(cut);
  });
}

inline bool has_kernel(const onnx::ModelProto& model, const onnx::NodeProto& node) {
  return (node.op_type() == "Conv" || node.op_type() == "Gemm") && is_weight(model, node.input(1));
}

/// Each weight is a number that half precision has.
inline void onto_half_grid(onnx::ModelProto& model) {
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) {
    const Tensor old = from_proto(tensor).value();
    if (old.dtype() == DType::f32)
      tensor = to_proto(cast(cast(old, DType::f16).value(), DType::f32).value(), tensor.name());
  }
}
/// Kernels in half precision behind a Cast.
inline void kernels_as_half(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    if (has_kernel(model, node)) {
      const std::string name = node.input(1);
      set_weight(model, name, cast(weight(model, name), DType::f16).value());
      onnx::NodeProto to_float = make_node("Cast", {name}, name + "_float");
      set_attribute(to_float, "to", std::int64_t{onnx::TensorProto::FLOAT});
      made.push_back(to_float);
      node.set_input(1, name + "_float");
    }
    made.push_back(node);
  });
}

/// The step of each row: its largest number is 127 of them.
inline Floats byte_steps(const Tensor& tensor) {
  const Floats numbers = floats_of(tensor);
  Floats steps(static_cast<std::size_t>(tensor.shape()[0]), 0);
  const std::size_t row = numbers.size() / steps.size();
  for (std::size_t i = 0; i < numbers.size(); ++i)
    steps[i / row] = std::max(steps[i / row], std::abs(numbers[i]) / 127);
  return steps;
}
inline Tensor in_byte_steps(const Tensor& tensor, const Floats& steps) {
  Floats inverse;
  for (const float step : steps) inverse.push_back(1 / step);
  Floats numbers = floats_of(times_rows(tensor, inverse));
  for (float& number : numbers) number = std::round(number);
  return Tensor::of<float>(tensor.shape(), numbers);
}
/// Kernels of numbers that 8 bits for each row have.
inline void onto_byte_grid(onnx::ModelProto& model) {
  for (const auto& node : all_nodes(model)) {
    if (!has_kernel(model, node)) continue;
    const Tensor old = weight(model, node.input(1));
    set_weight(model, node.input(1), times_rows(in_byte_steps(old, byte_steps(old)), byte_steps(old)));
  }
}
/// Kernels in 8 bits behind a DequantizeLinear.
inline void kernels_as_bytes(onnx::ModelProto& model) {
  each_node(model, [&](onnx::NodeProto node, Nodes& made) {
    if (has_kernel(model, node)) {
      const std::string name = node.input(1);
      const Floats steps = byte_steps(weight(model, name));
      set_weight(model, name, cast(in_byte_steps(weight(model, name), steps), DType::i8).value());
      const auto rows = std::ssize(steps);
      const std::string scale = add_weight(model, Tensor::of<float>({rows}, steps));
      const std::string zero =
          add_weight(model, cast(Tensor::of<float>({rows}, Floats(steps.size(), 0)), DType::i8).value());
      onnx::NodeProto to_float = make_node("DequantizeLinear", {name, scale, zero}, name + "_float");
      set_attribute(to_float, "axis", std::int64_t{0});
      made.push_back(to_float);
      node.set_input(1, name + "_float");
    }
    made.push_back(node);
  });
}

}  // namespace culprit::testing
