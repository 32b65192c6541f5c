#pragma once
// What converters do to a network without a fault: targets of tests of the diagnosis.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/conversion_nets.h"

namespace culprit::testing {

inline onnx::TensorProto& initializer(onnx::ModelProto& model, const std::string& name) {
  for (auto& tensor : *model.mutable_graph()->mutable_initializer())
    if (tensor.name() == name) return tensor;
  throw std::runtime_error("no initializer " + name);
}
inline Tensor weight(const onnx::ModelProto& model, const std::string& name) {
  for (const auto& tensor : model.graph().initializer())
    if (tensor.name() == name) return from_proto(tensor).value();
  throw std::runtime_error("no initializer " + name);
}
inline void set_weight(onnx::ModelProto& model, const std::string& name, const Tensor& tensor) {
  initializer(model, name) = to_proto(tensor, name);
}
inline std::string add_weight(onnx::ModelProto& model, const Tensor& tensor) {
  static int number = 0;
  const std::string name = "made" + std::to_string(number++);
  *model.mutable_graph()->add_initializer() = to_proto(tensor, name);
  return name;
}
/// The node of this operator with this number among its like.
inline onnx::NodeProto& node_of_type(onnx::ModelProto& model, const std::string& type, int number = 0) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    if (node.op_type() == type && number-- == 0) return node;
  throw std::runtime_error("too few of " + type);
}
inline onnx::NodeProto* maker_of(onnx::ModelProto& model, const std::string& value) {
  for (auto& node : *model.mutable_graph()->mutable_node())
    if (std::ranges::find(node.output(), value) != node.output().end()) return &node;
  return nullptr;
}
inline void set_nodes(onnx::ModelProto& model, const std::vector<onnx::NodeProto>& nodes) {
  model.mutable_graph()->clear_node();
  for (const auto& node : nodes) *model.mutable_graph()->add_node() = node;
}
inline std::vector<onnx::NodeProto> all_nodes(const onnx::ModelProto& model) {
  return {model.graph().node().begin(), model.graph().node().end()};
}
inline onnx::NodeProto make_node(const std::string& type, const std::vector<std::string>& inputs,
                                 const std::string& output) {
  onnx::NodeProto node;
  node.set_op_type(type);
  node.set_name(output);
  for (const std::string& input : inputs) node.add_input(input);
  node.add_output(output);
  return node;
}

inline void drop_unused_weights(onnx::ModelProto& model) {
  std::set<std::string> used;
  for (const auto& node : model.graph().node()) used.insert(node.input().begin(), node.input().end());
  auto& weights = *model.mutable_graph()->mutable_initializer();
  for (int i = weights.size() - 1; i >= 0; --i)
    if (!used.contains(weights.Get(i).name())) weights.DeleteSubrange(i, 1);
}

/// Slices of axis 0 times a factor each.
inline Tensor times_rows(const Tensor& tensor, const Floats& factors) {
  Floats numbers = floats_of(tensor);
  const std::size_t row = numbers.size() / factors.size();
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] *= factors[i / row];
  return Tensor::of<float>(tensor.shape(), numbers);
}
/// Slice i is the old slice order[i].
inline Tensor picked(const Tensor& tensor, std::size_t axis, const Wholes& order) {
  const Floats numbers = floats_of(tensor);
  Floats made;
  each_index(tensor.shape(), [&](Wholes at) {
    at[axis] = order.at(static_cast<std::size_t>(at[axis]));
    made.push_back(numbers[offset_of(at, tensor.shape())]);
  });
  return Tensor::of<float>(tensor.shape(), made);
}

/// Normalizations go into the convolutions before them.
inline void fold_normalizations(onnx::ModelProto& model) {
  std::vector<onnx::NodeProto> kept;
  std::set<std::string> folded;
  for (const auto& node : all_nodes(model)) {
    onnx::NodeProto* conv = node.op_type() == "BatchNormalization" ? maker_of(model, node.input(0)) : nullptr;
    if (conv == nullptr || conv->op_type() != "Conv") continue;
    Floats part[4];
    for (int i = 0; i < 4; ++i) part[i] = floats_of(weight(model, node.input(i + 1)));
    const auto& [scale, bias, mean, variance] = part;
    const Floats old = conv->input_size() > 2 ? floats_of(weight(model, conv->input(2))) : Floats(scale.size());
    Floats factors, made;
    for (std::size_t c = 0; c < scale.size(); ++c) {
      factors.push_back(scale[c] / std::sqrt(variance[c] + 1e-3F));
      made.push_back(bias[c] + (old[c] - mean[c]) * factors[c]);
    }
    set_weight(model, conv->input(1), times_rows(weight(model, conv->input(1)), factors));
    if (conv->input_size() < 3) conv->add_input("");
    conv->set_input(2, add_weight(model, Tensor::of<float>({std::ssize(made)}, made)));
    folded.insert(node.name());
    conv->set_output(0, node.output(0));
  }
  for (const auto& node : all_nodes(model))
    if (!folded.contains(node.name())) kept.push_back(node);
  set_nodes(model, kept);
  drop_unused_weights(model);
}

/// Gemm as MatMul and Add, the kernel turned.
inline void split_gemms(onnx::ModelProto& model) {
  std::vector<onnx::NodeProto> made;
  for (const auto& node : all_nodes(model)) {
    if (node.op_type() != "Gemm") {
      made.push_back(node);
      continue;
    }
    const Tensor old = weight(model, node.input(1));
    const Floats numbers = floats_of(old);
    Floats turned;
    each_index({old.shape()[1], old.shape()[0]}, [&](const Wholes& at) {
      turned.push_back(numbers[offset_of({at[1], at[0]}, old.shape())]);
    });
    set_weight(model, node.input(1), Tensor::of<float>({old.shape()[1], old.shape()[0]}, turned));
    const std::string product = node.output(0) + "_product";
    made.push_back(make_node("MatMul", {node.input(0), node.input(1)}, product));
    made.push_back(make_node("Add", {product, node.input(2)}, node.output(0)));
  }
  set_nodes(model, made);
}

/// An input comes with its channels last.
inline void channels_last(onnx::ModelProto& model, const std::string& input) {
  onnx::NodeProto turn = make_node("Transpose", {input}, input + "_turned");
  set_attribute(turn, "perm", Wholes{0, 3, 1, 2});
  std::vector<onnx::NodeProto> made{turn};
  for (auto node : all_nodes(model)) {
    std::ranges::replace(*node.mutable_input(), input, input + "_turned");
    made.push_back(node);
  }
  set_nodes(model, made);
  for (auto& value : *model.mutable_graph()->mutable_input()) {
    if (value.name() != input) continue;
    auto& dims = *value.mutable_type()->mutable_tensor_type()->mutable_shape();
    const auto old = dims;
    for (const int axis : {2, 3, 1}) {
      const int to = axis == 1 ? 3 : axis - 1;
      dims.mutable_dim(to)->set_dim_value(old.dim(axis).dim_value());
    }
  }
}
inline void channels_last_input(onnx::ModelProto& model) { channels_last(model, "x"); }

/// PRelu(x) as Relu(x) + Relu(-x) * -slope.
inline void prelus_as_relus(onnx::ModelProto& model) {
  std::vector<onnx::NodeProto> made;
  for (const auto& node : all_nodes(model)) {
    if (node.op_type() != "PRelu") {
      made.push_back(node);
      continue;
    }
    const Tensor slope = weight(model, node.input(1));
    Floats negated = floats_of(slope);
    for (float& number : negated) number = -number;
    set_weight(model, node.input(1), Tensor::of<float>(slope.shape(), negated));
    const std::string x = node.input(0), to = node.output(0);
    made.push_back(make_node("Relu", {x}, to + "_up"));
    made.push_back(make_node("Neg", {x}, to + "_neg"));
    made.push_back(make_node("Relu", {to + "_neg"}, to + "_down"));
    made.push_back(make_node("Mul", {to + "_down", node.input(1)}, to + "_part"));
    made.push_back(make_node("Add", {to + "_up", to + "_part"}, to));
  }
  set_nodes(model, made);
}

/// The channels between the first two convolutions come in another order: nothing outside can tell.
inline void permute_channels(onnx::ModelProto& model) {
  onnx::NodeProto &first = node_of_type(model, "Conv", 0), &second = node_of_type(model, "Conv", 1);
  Wholes order(static_cast<std::size_t>(weight(model, first.input(1)).shape()[0]));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(9));
  for (int i = 1; i < first.input_size(); ++i)
    set_weight(model, first.input(i), picked(weight(model, first.input(i)), 0, order));
  for (const auto& node : all_nodes(model)) {
    if (node.name() == second.name()) break;
    if (node.op_type() != "BatchNormalization") continue;
    for (int i = 1; i < node.input_size(); ++i)
      set_weight(model, node.input(i), picked(weight(model, node.input(i)), 0, order));
  }
  set_weight(model, second.input(1), picked(weight(model, second.input(1)), 1, order));
}

/// Every name is another one, but those of inputs.
inline void rename_all(onnx::ModelProto& model) {
  std::map<std::string, std::string> names{{"", ""}};
  for (const auto& input : model.graph().input()) names[input.name()] = input.name();
  const auto renamed = [&](const std::string& name) {
    return names.emplace(name, "t" + std::to_string(names.size())).first->second;
  };
  int number = 0;
  for (auto& node : *model.mutable_graph()->mutable_node()) {
    node.set_name("n" + std::to_string(number++));
    for (std::string& name : *node.mutable_input()) name = renamed(name);
    for (std::string& name : *node.mutable_output()) name = renamed(name);
  }
  for (auto& tensor : *model.mutable_graph()->mutable_initializer()) tensor.set_name(renamed(tensor.name()));
  for (auto& output : *model.mutable_graph()->mutable_output()) output.set_name(renamed(output.name()));
}

}  // namespace culprit::testing
