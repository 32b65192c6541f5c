#include "twin/deviation_nodes.h"

#include <onnx/onnx_pb.h>

#include <map>

#include "model/graph_walk.h"

namespace culprit {
namespace {

constexpr float share_of_mean = 0x1p-20F, least = 0x1p-120F;

/// A prefix that no name of the model begins with.
std::string free_prefix(const onnx::ModelProto& model) {
  std::string prefix = "deviation";
  const auto is_taken = [&] {
    bool taken = false;
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      const auto look = [&](const std::string& name) { taken = taken || name.starts_with(prefix); };
      for (const auto& input : graph.input()) look(input.name());
      for (const auto& tensor : graph.initializer()) look(tensor.name());
      for (const auto& node : graph.node()) {
        for (const auto& output : node.output()) look(output);
      }
    });
    return taken;
  };
  while (is_taken()) prefix += "_";
  return prefix + ".";
}

class DeviationNodes {
 public:
  DeviationNodes(onnx::ModelProto& model, std::span<const Layer> layers, std::span<const double> expected,
                 DeviationMode mode)
      : graph_(*model.mutable_graph()), layers_(layers), expected_(expected), mode_(mode), prefix_(free_prefix(model)) {
    for (const auto& tensor : graph_.initializer()) types_[tensor.name()] = tensor.data_type();
    for (std::size_t i = 0; i < layers.size(); ++i) by_output_[layers[i].output] = i;
    values_.resize(layers.size());
  }

  std::vector<std::string> add() {
    add_constant(prefix_ + "share", share_of_mean);
    add_constant(prefix_ + "least", least);
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    nodes.Swap(graph_.mutable_node());
    for (auto& node : nodes) {
      const auto at = node.output_size() > 0 ? by_output_.find(node.output(0)) : by_output_.end();
      if (at == by_output_.end()) {
        graph_.add_node()->Swap(&node);
      } else {
        add_layer(node, at->second);
      }
    }
    return values_;
  }

 private:
  void add_constant(const std::string& name, float value) {
    auto* tensor = graph_.add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto::FLOAT);
    tensor->add_float_data(value);
  }

  std::string add_node(const char* op, std::initializer_list<std::string> inputs, const std::string& output) {
    auto* node = graph_.add_node();
    node->set_op_type(op);
    for (const std::string& input : inputs) node->add_input(input);
    node->add_output(output);
    return output;
  }

  void add_cast(const std::string& from, const std::string& to, std::int32_t type) {
    add_node("Cast", {from}, to);
    auto* attribute = graph_.mutable_node(graph_.node_size() - 1)->add_attribute();
    attribute->set_name("to");
    attribute->set_type(onnx::AttributeProto::INT);
    attribute->set_i(type);
  }

  void add_layer(onnx::NodeProto& node, std::size_t i) {
    const Layer& layer = layers_[i];
    const std::string own = prefix_ + std::to_string(i) + ".";
    const std::int32_t type = types_[layer.normalizes() ? layer.variance : layer.kernel];
    if (layer.normalizes()) {
      const std::string given = node.input(0);
      if (mode_ == DeviationMode::adapt) node.set_input(0, own + "scaled");
      measure_and_scale(given, own + "scaled", own, i, type);
      graph_.add_node()->Swap(&node);
    } else {
      const std::string result = node.output(0);
      if (mode_ == DeviationMode::adapt) node.set_output(0, own + "raw");
      graph_.add_node()->Swap(&node);
      measure_and_scale(mode_ == DeviationMode::adapt ? own + "raw" : result, result, own, i, type);
    }
  }

  void measure_and_scale(const std::string& value, const std::string& scaled, const std::string& own, std::size_t i,
                         std::int32_t type) {
    const Layer& layer = layers_[i];
    const bool follows = mode_ == DeviationMode::adapt && !layer.is_first;
    std::string& node = nodes_of_kernels_[layer.normalizes() ? layer.variance : layer.kernel];
    if (!follows) node = values_[i] = add_node_for(value, own, type, expected_[i]);
    if (mode_ != DeviationMode::adapt) return;
    std::string divisor = node;
    if (type != onnx::TensorProto::FLOAT) add_cast(node, divisor = own + "divisor", type);
    add_node("Div", {value, divisor}, scaled);
  }

  std::string add_node_for(const std::string& value, const std::string& own, std::int32_t type, double expected) {
    std::string wide = value;
    if (type != onnx::TensorProto::FLOAT) add_cast(value, wide = own + "wide", onnx::TensorProto::FLOAT);
    // Without axes, ReduceMean goes over all of them, in every opset, and keeps the rank.
    const std::string mean = add_node("ReduceMean", {wide}, own + "mean");
    const std::string off = add_node("Sub", {wide, mean}, own + "off");
    const std::string variance =
        add_node("ReduceMean", {add_node("Mul", {off, off}, own + "squares")}, own + "variance");
    const std::string squared = add_node("Mul", {mean, mean}, own + "squared_mean");
    const std::string part = add_node("Mul", {squared, prefix_ + "share"}, own + "part");
    const std::string sum = add_node("Add", {variance, part}, own + "sum");
    const std::string root =
        add_node("Sqrt", {add_node("Add", {sum, prefix_ + "least"}, own + "positive")}, own + "root");
    add_constant(own + "expected", static_cast<float>(expected));
    return add_node("Div", {root, own + "expected"}, own + "deviation");
  }

  onnx::GraphProto& graph_;
  std::span<const Layer> layers_;
  std::span<const double> expected_;
  DeviationMode mode_;
  std::string prefix_;
  std::map<std::string, std::int32_t> types_;            ///< of initializers
  std::map<std::string, std::size_t> by_output_;         ///< layers
  std::map<std::string, std::string> nodes_of_kernels_;  ///< by kernel or variance, of the first that has it
  std::vector<std::string> values_;
};

}  // namespace

std::vector<std::string> add_deviation_nodes(onnx::ModelProto& model, std::span<const Layer> layers,
                                             std::span<const double> expected, DeviationMode mode) {
  return DeviationNodes(model, layers, expected, mode).add();
}

}  // namespace culprit
