#include "model/perturb_quantized.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "base/random.h"
#include "model/graph_walk.h"
#include "model/open_quantized.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr const char* own_domain = "culprit";
constexpr float steps_of_a_byte = 255;
constexpr std::int64_t most_channels = 1 << 16;

bool is_static(const onnx::NodeProto& node) { return node.op_type() == "QuantizeLinear"; }
bool is_dynamic(const onnx::NodeProto& node) { return node.op_type() == "DynamicQuantizeLinear"; }
bool quantizes(const onnx::NodeProto& node) { return (is_static(node) || is_dynamic(node)) && node.input_size() > 0; }

/// 0 for what is no scale: no float32, too large, not above 0.
float smallest_scale(const onnx::TensorProto& tensor) {
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (tensor.data_type() != onnx::TensorProto::FLOAT || !count || *count < 1 || *count > most_channels) return 0;
  const auto scale = from_proto(tensor);
  if (!scale) return 0;
  float smallest = INFINITY;
  for (const float element : scale->as<float>()) smallest = std::min(smallest, std::abs(element));
  return std::isfinite(smallest) ? smallest : 0;
}

class Steps {
 public:
  Steps(onnx::ModelProto& model, std::uint64_t seed) : model_(model), seed_(seed) {
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& tensor : graph.initializer()) constants_.emplace(tensor.name(), smallest_scale(tensor));
      for (const auto& node : graph.node()) add_constant(node);
    });
  }

  std::int64_t perturb() {
    perturb(*model_.mutable_graph());
    if (moved_ > 0) add_domain();
    for (auto& tensor : made_) *model_.mutable_graph()->add_initializer() = std::move(tensor);
    return moved_;
  }

 private:
  void add_constant(const onnx::NodeProto& node) {
    if (node.op_type() != "Constant" || node.output_size() != 1) return;
    const auto* value = attribute_of(node, "value");
    constants_.emplace(node.output(0), value == nullptr ? 0 : smallest_scale(value->t()));
  }

  void perturb(onnx::GraphProto& graph) {
    google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
    for (auto& node : *graph.mutable_node()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) perturb(*attribute.mutable_g());
        for (auto& inner : *attribute.mutable_graphs()) perturb(inner);
      }
      if (quantizes(node) && !constants_.contains(node.input(0))) move_input(node, nodes);
      *nodes.Add() = node;
    }
    graph.mutable_node()->Swap(&nodes);
  }

  /// The name of a scalar that holds one step of `node`; "" where there is none.
  std::string step_of(const onnx::NodeProto& node, google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    if (is_dynamic(node)) {
      const std::string size = add(nodes, "Abs", {node.input(0)});
      const std::string largest = add(nodes, "ReduceMax", {size});
      add_integer(*nodes.Mutable(nodes.size() - 1), "keepdims", 0);
      // Nothing is moved where all is zero, but nothing is divided by zero either.
      const std::string step = add(nodes, "Mul", {largest, constant(1 / steps_of_a_byte)});
      return add(nodes, "Add", {step, constant(1e-30F)});
    }
    if (node.input_size() < 2) return "";
    const auto known = constants_.find(node.input(1));
    if (known == constants_.end()) return node.input(1);
    return known->second > 0 ? constant(known->second) : "";
  }

  void move_input(onnx::NodeProto& node, google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes) {
    const std::string step = step_of(node, nodes);
    if (step.empty()) return;
    node.set_input(0, add(nodes, "PartOfAStep", {node.input(0), step}));
    onnx::NodeProto& moves = *nodes.Mutable(nodes.size() - 1);
    moves.set_domain(own_domain);
    add_integer(moves, "seed", static_cast<std::int64_t>(Random(seed_, moves.output(0)).next()));
    ++moved_;
  }

  static void add_integer(onnx::NodeProto& node, const char* name, std::int64_t value) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }

  void add_domain() {
    const auto& imports = model_.opset_import();
    if (std::ranges::any_of(imports, [](const auto& import) { return import.domain() == own_domain; })) return;
    auto& import = *model_.add_opset_import();
    import.set_domain(own_domain);
    import.set_version(1);
  }

  std::string name() { return "culprit_step_" + std::to_string(names_++); }

  std::string add(google::protobuf::RepeatedPtrField<onnx::NodeProto>& nodes, const std::string& op,
                  const std::vector<std::string>& inputs) {
    onnx::NodeProto& node = *nodes.Add();
    node.set_op_type(op);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(name());
    return node.output(0);
  }

  std::string constant(float value) {
    onnx::TensorProto& tensor = made_.emplace_back();
    tensor.set_name(name());
    tensor.set_data_type(onnx::TensorProto::FLOAT);
    tensor.add_float_data(value);
    return tensor.name();
  }

  onnx::ModelProto& model_;
  std::uint64_t seed_;
  std::map<std::string, float> constants_;  // the smallest element of those that may be scales; else 0
  std::vector<onnx::TensorProto> made_;
  std::int64_t moved_ = 0, names_ = 0;
};

}  // namespace

bool quantizes(const onnx::ModelProto& model) {
  bool found = false;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    found = found || std::ranges::any_of(
                         graph.node(), [](const auto& node) { return quantizes(node) || is_quantized_operator(node); });
  });
  return found;
}

std::int64_t perturb_steps(onnx::ModelProto& model, std::uint64_t seed) {
  open_quantized(model);
  return Steps(model, seed).perturb();
}

}  // namespace culprit
