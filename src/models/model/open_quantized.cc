#include "model/open_quantized.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

constexpr std::int64_t oldest_opset = 10;  // has QuantizeLinear

bool is_of_runtime(const onnx::NodeProto& node) {
  return node.domain() == "com.microsoft" &&
         is_one_of(node.op_type(), {"QLinearAdd", "QLinearMul", "QLinearConcat", "QLinearSigmoid", "QLinearLeakyRelu",
                                    "QLinearAveragePool", "QLinearGlobalAveragePool"});
}

/// What the operator does, without "QLinear".
std::string plain_name(const onnx::NodeProto& node) { return node.op_type().substr(std::string("QLinear").size()); }

/// Three inputs that are one quantized value: numbers, scale, zero point.
struct Quantized {
  std::string numbers, scale, zero;
};

class Opening {
 public:
  explicit Opening(onnx::ModelProto& model) {
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& tensor : graph.initializer())
        shapes_[tensor.name()] = std::vector<std::int64_t>(tensor.dims().begin(), tensor.dims().end());
    });
  }

  std::int64_t open(onnx::GraphProto& graph) {
    Nodes nodes;
    for (auto& node : *graph.mutable_node()) {
      for (auto& attribute : *node.mutable_attribute()) {
        if (attribute.has_g()) open(*attribute.mutable_g());
        for (auto& inner : *attribute.mutable_graphs()) open(inner);
      }
      made_ = {};
      if (is_quantized_operator(node) && open(node)) {
        ++opened_;
        for (auto& one : made_) *nodes.Add() = std::move(one);
      } else {
        *nodes.Add() = std::move(node);
      }
    }
    graph.mutable_node()->Swap(&nodes);
    return opened_;
  }

 private:
  /// False where it cannot be.
  bool open(const onnx::NodeProto& node) {
    const std::string op = plain_name(node);
    if (op == "Conv" || op == "MatMul") return node.input_size() >= 8 && open_product(node, op);
    if (op == "Concat") return open_concat(node);
    const int operands = op == "Add" || op == "Mul" ? 2 : 1;
    if (node.input_size() < 3 * operands + 2 || integer_of(node, "channels_last", 0) != 0) return false;
    std::vector<std::string> reals;
    reals.reserve(static_cast<std::size_t>(operands));
    for (int i = 0; i < operands; ++i) reals.push_back(real(quantized(node, 3 * i)));
    return quantize(node, add(op, reals, &node), node.input(3 * operands), node.input(3 * operands + 1));
  }

  bool open_product(const onnx::NodeProto& node, const std::string& op) {
    const bool is_conv = op == "Conv";
    const Quantized one = quantized(node, 0), other = quantized(node, 3);
    const bool is_by_channel = !is_single(other.scale) || !is_single(other.zero);
    const auto shape = shapes_.find(other.numbers);
    if (!is_single(one.scale) || !is_single(one.zero)) return false;
    if (is_by_channel && (shape == shapes_.end() || (!is_conv && shape->second.size() != 2))) return false;
    std::string scale = other.scale, zero = other.zero;
    if (is_conv && is_by_channel) {
      const std::size_t rank = shape->second.size();
      scale = is_single(scale) ? scale : by_channel(scale, rank - 1);
      zero = is_single(zero) ? zero : by_channel(zero, rank);
    }
    std::vector<std::string> operands{whole(one.numbers, one.zero), whole(other.numbers, zero)};
    if (is_conv && node.input_size() > 8 && !node.input(8).empty()) operands.push_back(as_float(node.input(8)));
    const std::string sum = add(op, operands, is_conv ? &node : nullptr);
    return quantize(node, add("Mul", {sum, add("Mul", {one.scale, scale})}), node.input(6), node.input(7));
  }

  /// Scale and zero point of what comes out stand first.
  bool open_concat(const onnx::NodeProto& node) {
    if (node.input_size() < 5 || node.input_size() % 3 != 2) return false;
    std::vector<std::string> reals;
    for (int i = 2; i < node.input_size(); i += 3) reals.push_back(real(quantized(node, i)));
    return quantize(node, add("Concat", reals, &node), node.input(0), node.input(1));
  }

  static Quantized quantized(const onnx::NodeProto& node, int first) {
    return {node.input(first), node.input(first + 1), node.input(first + 2)};
  }

  /// What is not stored has one element, unless shown otherwise by no one: scales are stored in all nets.
  [[nodiscard]] bool is_single(const std::string& name) const {
    const auto at = shapes_.find(name);
    if (at == shapes_.end()) return true;
    return std::ranges::all_of(at->second, [](const std::int64_t dim) { return dim == 1; });
  }

  std::string as_float(const std::string& value) {
    std::string name = add("Cast", {value});
    set_integer(made_.back(), "to", onnx::TensorProto::FLOAT);
    return name;
  }

  std::string whole(const std::string& numbers, const std::string& zero) {
    const std::string name = as_float(numbers);
    return zero.empty() ? name : add("Sub", {name, as_float(zero)});
  }

  std::string real(const Quantized& value) { return add("Mul", {whole(value.numbers, value.zero), value.scale}); }

  /// [M] as [M, 1, 1, ...]
  std::string by_channel(const std::string& value, std::size_t rank) {
    onnx::NodeProto& shape = made_.emplace_back();
    shape.set_op_type("Constant");
    shape.add_output(new_name());
    auto& attribute = *shape.add_attribute();
    attribute.set_name("value");
    attribute.set_type(onnx::AttributeProto::TENSOR);
    attribute.mutable_t()->set_data_type(onnx::TensorProto::INT64);
    attribute.mutable_t()->add_dims(static_cast<std::int64_t>(rank));
    for (std::size_t i = 0; i < rank; ++i) attribute.mutable_t()->add_int64_data(i == 0 ? -1 : 1);
    return add("Reshape", {value, shape.output(0)});
  }

  bool quantize(const onnx::NodeProto& node, const std::string& value, const std::string& scale,
                const std::string& zero) {
    if (zero.empty() || !is_single(scale)) return false;
    onnx::NodeProto& made = made_.emplace_back();
    made.set_op_type("QuantizeLinear");
    for (const std::string& input : {value, scale, zero}) made.add_input(input);
    made.add_output(node.output(0));
    return true;
  }

  /// `like`: whose attributes it has as well.
  std::string add(const std::string& op, const std::vector<std::string>& inputs,
                  const onnx::NodeProto* like = nullptr) {
    onnx::NodeProto node;
    if (like != nullptr) *node.mutable_attribute() = like->attribute();
    auto& attributes = *node.mutable_attribute();
    attributes.erase(std::remove_if(attributes.begin(), attributes.end(),
                                    [](const auto& one) { return one.name() == "channels_last"; }),
                     attributes.end());
    node.set_op_type(op);
    for (const std::string& input : inputs) node.add_input(input);
    node.add_output(new_name());
    made_.push_back(node);
    return node.output(0);
  }

  static void set_integer(onnx::NodeProto& node, const char* name, std::int64_t value) {
    auto& attribute = *node.add_attribute();
    attribute.set_name(name);
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(value);
  }

  std::string new_name() { return "culprit_opened_" + std::to_string(names_++); }

  std::map<std::string, std::vector<std::int64_t>> shapes_;  // of what is stored
  std::vector<onnx::NodeProto> made_;                        // in place of one node
  std::int64_t opened_ = 0, names_ = 0;
};

}  // namespace

bool is_quantized_operator(const onnx::NodeProto& node) {
  if (domain_of(node.domain()).empty()) return is_one_of(node.op_type(), {"QLinearConv", "QLinearMatMul"});
  return is_of_runtime(node);
}

std::int64_t open_quantized(onnx::ModelProto& model) {
  if (opset_of(model) < oldest_opset) return 0;
  return Opening(model).open(*model.mutable_graph());
}

}  // namespace culprit
