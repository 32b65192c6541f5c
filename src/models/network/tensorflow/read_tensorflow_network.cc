#include "network/tensorflow/read_tensorflow_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "base/as_index.h"
#include "base/text.h"
#include "network/graph_def.pb.h"
#include "network/tensorflow/node_order.h"
#include "network/tensorflow/tensor_value.h"
#include "network/tensorflow/tensorflow_hyper.h"
#include "network/tensorflow/tensorflow_operators.h"
#include "network/tensorflow/tensorflow_slices.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::Attribute;
using tensorflow::Node;

constexpr std::uint64_t most_filled_bytes = std::uint64_t{1} << 30;  // of all constants that say less than they mean
constexpr int most_outputs_by_attribute = 64;                        // of which nobody uses the last
constexpr int most_outputs_of_node = 1024;
constexpr std::size_t most_outputs_by_node = 16, most_outputs_besides = 65536;  // of a whole graph

constexpr std::array gives_truth{"Equal",     "NotEqual",  "Greater",    "GreaterEqual", "Less",
                                 "LessEqual", "LogicalOr", "LogicalAnd", "LogicalNot",   "IsNan",
                                 "IsInf",     "IsFinite",  "All",        "Any"};

const Attribute* find_attribute(const Node& node, const std::string& name) {
  const auto found = node.attributes().find(name);
  return found == node.attributes().end() ? nullptr : &found->second;
}

/// As far as the node tells.
DType type_of_result(const Node& node, int output) {
  const auto named = [&](const char* name, int otherwise) {
    const Attribute* attribute = find_attribute(node, name);
    return dtype_of_tensorflow(attribute == nullptr ? otherwise : attribute->type()).value_or(DType::undefined);
  };
  const std::string& op = node.op();
  if (std::ranges::find(gives_truth, op) != gives_truth.end()) return DType::boolean;
  if (op == "Cast") return named("DstT", 0);
  if (op == "Shape" || op == "Size") return named("out_type", tensorflow_int32);
  if (op == "ArgMax" || op == "ArgMin") return named("output_type", tensorflow_int64);
  if (op == "Where") return DType::i64;
  if (op == "OneHot") return named("T", 0);
  if ((op == "TopKV2" || op == "Unique") && output == 1) return named("index_type", tensorflow_int32);
  for (const char* list : {"Tout", "T"})
    if (const Attribute* types = find_attribute(node, list);
        types != nullptr && types->has_list() && output < types->list().types_size())
      return dtype_of_tensorflow(types->list().types(output)).value_or(DType::undefined);
  if (output == 0 && op.starts_with("Gather")) return named(op == "ResourceGather" ? "dtype" : "Tparams", 0);
  return find_attribute(node, "T") != nullptr ? named("T", 0) : named("dtype", 0);
}

/// Lists of tensors and variables are no tensors.
bool is_opaque(const Node& node, int output) {
  constexpr int resource = 20, variant = 21;
  constexpr std::array give_tensors{"TensorListStack",    "TensorListGetItem", "TensorListGather",
                                    "TensorListConcatV2", "TensorListLength",  "TensorListElementShape"};
  const std::string& op = node.op();
  if (op.starts_with("TensorList")) return std::ranges::find(give_tensors, op) == give_tensors.end();
  if (op == "VarHandleOp") return true;
  for (const char* name : {"Tout", "T", "dtype"}) {
    const Attribute* types = find_attribute(node, name);
    if (types == nullptr) continue;
    const int type = output < types->list().types_size() ? types->list().types(output) : types->type();
    if (type == resource || type == variant) return true;
  }
  return false;
}

class TensorflowNetworkReader {
 public:
  explicit TensorflowNetworkReader(const TensorflowModel& model) : model_(model), graph_(model.graph()) {
    network_.format = "tensorflow";
  }

  Result<Network> read() {
    auto nodes = order_nodes(graph_);
    if (!nodes) return tl::unexpected(nodes.error());
    nodes_ = std::move(*nodes);
    if (auto ok = count_outputs(); !ok) return tl::unexpected(ok.error());
    for (const int number : nodes_.in_order)
      if (auto ok = node(number); !ok) return tl::unexpected(ok.error());
    const auto interface = model_.interface();
    if (!interface) return tl::unexpected(interface.error());
    network_.inputs = values_of(interface->inputs);
    network_.outputs = values_of(interface->outputs);
    return std::move(network_);
  }

 private:
  [[nodiscard]] static std::string tensor_named(const Node& node, int output) {
    return fmt::format("{}:{}", node.name(), output);
  }

  [[nodiscard]] Error error_at(const Node& node, const std::string& why) const {
    return {ErrorKind::bad_input,
            fmt::format("the node '{}' ({}): {}", printable(node.name(), 120), printable(node.op(), 80), why), ""};
  }

  /// How many outputs of each node are looked at: those that are used, and those that its operator always has.
  Result<void> count_outputs() {
    used_.assign(as_index(graph_.nodes_size()), 0);
    for (const Node& node : graph_.nodes())
      for (const std::string& input : node.inputs()) {
        if (input.starts_with('^')) continue;
        const auto index = index_of_tensor(input);
        if (!index || *index >= most_outputs_of_node)
          return tl::unexpected(error_at(node, "its input is " + printable(input, 120)));
        int& used = used_[as_index(nodes_.numbers.find(node_of_tensor(input))->second)];
        used = std::max(used, *index + 1);
      }
    outputs_ = used_;
    std::size_t all = 0;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      outputs_[i] = std::max(outputs_[i], told_outputs(graph_.nodes(static_cast<int>(i))));
      all += as_index(outputs_[i]);
    }
    if (all <= most_outputs_by_node * outputs_.size() + most_outputs_besides) return {};
    return fail(ErrorKind::bad_input, fmt::format("the graph has {} nodes, and {} values", outputs_.size(), all));
  }

  [[nodiscard]] static int told_outputs(const Node& node) {
    const TensorflowOutputs outputs = tensorflow_outputs(node.op());
    std::int64_t count = outputs.count;
    if (!outputs.by_number.empty())
      if (const Attribute* number = find_attribute(node, std::string(outputs.by_number))) count = number->integer();
    if (!outputs.by_list.empty())
      if (const Attribute* list = find_attribute(node, std::string(outputs.by_list))) count = list->list().types_size();
    return static_cast<int>(std::clamp<std::int64_t>(count, 0, most_outputs_by_attribute));
  }

  int add_value(const Node& node, int number, int output, int made_by) {
    NetworkValue& value = network_.values.emplace_back();
    value.name = tensor_named(node, output);
    value.dtype = type_of_result(node, output);
    value.is_visible = !is_opaque(node, output);
    value.made_by = made_by;
    value.native = number;
    return static_cast<int>(network_.values.size()) - 1;
  }

  Result<void> node(int number) {
    const Node& node = graph_.nodes(number);
    auto& outputs = values_[node.name()];
    if (node.op() == "Placeholder") {
      outputs.push_back(add_value(node, number, 0, -1));
      declare(node, network_.values.back());
      return {};
    }
    if (node.op() == "Const") return constant(node, number);
    if (is_tensorflow_alias(node.op()) && used_[as_index(number)] > 0 && stands_for_inputs(node, number, outputs))
      return {};
    return layer(node, number);
  }

  /// Does each output of it stand for a value that is there?
  [[nodiscard]] bool stands_for_inputs(const Node& node, int number, std::vector<int>& outputs) const {
    std::vector<int> same;
    for (const std::string& input : node.inputs())
      if (const auto of = value_named(input); of && *of >= 0 && !input.starts_with('^')) same.push_back(*of);
    if (std::ssize(same) < used_[as_index(number)]) return false;
    outputs = std::move(same);
    return true;
  }

  static void declare(const Node& node, NetworkValue& value) {
    const Attribute* shape = find_attribute(node, "shape");
    if (shape == nullptr || shape->shape().unknown_rank()) return;
    value.has_rank = true;
    for (const auto& dim : shape->shape().dim()) value.dims.push_back(dim.size());
  }

  Result<void> constant(const Node& node, int number) {
    const Attribute* stored = find_attribute(node, "value");
    if (stored == nullptr) return tl::unexpected(error_at(node, "it has no value"));
    auto tensor = tensor_of_tensorflow(stored->tensor(), filled_);
    const int id = add_value(node, number, 0, -1);
    values_[node.name()].push_back(id);
    if (!tensor && tensor.error().kind == ErrorKind::unsupported) return {};  // of no interest here
    if (!tensor) return tl::unexpected(error_at(node, tensor.error().message));
    NetworkValue& value = network_.values[as_index(id)];
    value.dtype = tensor->dtype();
    value.has_rank = true;
    value.dims = tensor->shape();
    value.constant = std::move(*tensor);
    return {};
  }

  /// nullopt: no node makes it. -1: its node gives no such tensor.
  [[nodiscard]] std::optional<int> value_named(std::string_view tensor) const {
    const auto made = values_.find(node_of_tensor(tensor));
    const auto index = index_of_tensor(tensor);
    if (made == values_.end() || !index) return std::nullopt;
    return as_index(*index) < made->second.size() ? made->second[as_index(*index)] : -1;
  }

  [[nodiscard]] std::vector<int> values_of(const std::vector<TensorflowValue>& named) const {
    std::vector<int> values;
    for (const TensorflowValue& one : named)
      if (const auto value = value_named(one.tensor); value && *value >= 0) values.push_back(*value);
    return values;
  }

  Result<void> layer(const Node& node, int number) {
    NetworkLayer layer;
    layer.name = node.name();
    layer.native_type = node.op();
    layer.type = onnx_type_of_tensorflow(node.op());
    layer.native = number;
    for (const std::string& input : node.inputs()) {
      if (input.starts_with('^')) continue;
      const auto value = leads_back(graph_, nodes_, number, input) ? -1 : value_named(input).value_or(-1);
      layer.inputs.push_back(value);
    }
    read_tensorflow_hyper(node, layer);
    take_inputs(layer);
    mend_words(layer);
    const int made_by = static_cast<int>(network_.layers.size());
    auto& outputs = values_[node.name()];
    for (int output = 0; output < outputs_[as_index(number)]; ++output)
      outputs.push_back(add_value(node, number, output, made_by));
    layer.outputs = outputs;
    network_.layers.push_back(std::move(layer));
    return {};
  }

  void take_inputs(NetworkLayer& layer) const {
    for (std::size_t at = 0; at < layer.inputs.size(); ++at) {
      if (layer.inputs[at] < 0) continue;
      const auto& constant = network_.values[as_index(layer.inputs[at])].constant;
      if (!constant || constant->dtype() == DType::string) continue;
      const InputRule* rule = tensorflow_input_rule(layer.native_type, at, layer.inputs.size());
      if (rule != nullptr && rule->is_hyper && constant->count() > 0)
        layer.hyper[std::string(rule->role)] = hyper_of_constant(*constant);
      else
        layer.parameters.push_back({layer.inputs[at], at, rule == nullptr ? "operand" : std::string(rule->role),
                                    rule == nullptr ? "" : axes_of(*rule, layer, *constant)});
    }
  }

  static std::string axes_of(const InputRule& rule, const NetworkLayer& layer, const Tensor& constant) {
    const auto turned = layer.hyper.find("transB");
    if (rule.axes == "IO" && turned != layer.hyper.end() && turned->second == Hyper(std::int64_t{1})) return "OI";
    // One result for each channel: then C counts outputs, as in the kernels of other formats.
    if (rule.axes == "HWCM" && constant.shape().size() == 4 && constant.shape()[3] == 1) return "HWOI";
    return std::string(rule.axes);
  }

  /// What ONNX says in another way.
  void mend_words(NetworkLayer& layer) const {
    if (layer.native_type == "DepthwiseConv2dNative")
      if (const Parameter* kernel = parameter_of(layer, "kernel"))
        if (const auto& dims = network_.values[as_index(kernel->value)].dims; dims.size() == 4)
          layer.hyper["group"] = dims[2];
    if (layer.type == "Pad") tell_pads_as_onnx(layer.hyper);
    if (layer.type == "Slice") tell_slice_as_onnx(layer.hyper);
  }

  const TensorflowModel& model_;
  const tensorflow::Graph& graph_;
  NamedNodes nodes_;
  std::vector<int> used_, outputs_;                              // of each node
  std::map<std::string, std::vector<int>, std::less<>> values_;  // by the node that makes them
  std::uint64_t filled_ = most_filled_bytes;
  Network network_;
};

}  // namespace

Result<Network> read_tensorflow_network(const TensorflowModel& model) { return TensorflowNetworkReader(model).read(); }

}  // namespace culprit
