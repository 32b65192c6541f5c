#include "conversion/sides/tensorflow_edits.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/sides/hyper_numbers.h"
#include "conversion/sides/make_edits.h"
#include "network/tensorflow/tensorflow_hyper.h"
#include "network/tensorflow/tensorflow_operators.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {

const std::string& TensorflowEdits::shown(int value) const {
  const auto other = instead_.find(value);
  return other == instead_.end() ? network_.values[as_index(value)].name : other->second;
}

Result<void> TensorflowEdits::make(const std::vector<Edit>& edits) {
  return make_each(edits, network_, [this](const auto& edit) { return make_one(edit); });
}

DType TensorflowEdits::type_of(int value) const {
  const DType known = value < 0 ? DType::undefined : network_.values[as_index(value)].dtype;
  return known == DType::undefined ? DType::f32 : known;
}

DType TensorflowEdits::type_of_data(int layer) const {
  for (const int input : network_.layers[as_index(layer)].inputs)
    if (input >= 0 && !network_.values[as_index(input)].constant) return type_of(input);
  return DType::f32;
}

Result<std::string> TensorflowEdits::constant_like(const Tensor& tensor, int like) {
  const DType type = like < 0 ? DType::undefined : network_.values[as_index(like)].dtype;
  if (type == DType::undefined || type == tensor.dtype()) return plan_.add_constant(tensor);
  const auto typed = cast(tensor, type);
  if (!typed) return tl::unexpected(typed.error());
  return plan_.add_constant(*typed);
}

void TensorflowEdits::use_instead(int value, const std::string& tensor, const tensorflow::Node* but) {
  plan_.replace_uses(shown(value), tensor, but);
  instead_[value] = tensor;
}

/// What convolutions of TensorFlow have no place for.
Result<void> TensorflowEdits::add_bias(int layer, const Tensor& bias) {
  const NetworkLayer& of = network_.layers[as_index(layer)];
  const auto tensor = constant_like(bias, -1);
  if (!tensor) return tl::unexpected(tensor.error());
  tensorflow::Node& node = plan_.add_node("BiasAdd", bias.dtype());
  node.add_inputs(shown(of.outputs[0]));
  node.add_inputs(*tensor);
  if (of.type.starts_with("Conv") && !of.is_channels_last) (*node.mutable_attributes())["data_format"].set_word("NCHW");
  use_instead(of.outputs[0], whole_tensor_name(node.name()), &node);
  return {};
}

Result<void> TensorflowEdits::make_one(const SetConstant& edit) {
  if (edit.layer < 0) {
    const auto tensor = constant_like(edit.tensor, edit.value);
    if (!tensor) return tl::unexpected(tensor.error());
    use_instead(edit.value, *tensor, nullptr);
    return {};
  }
  const NetworkLayer& layer = network_.layers[as_index(edit.layer)];
  if (edit.at >= layer.inputs.size()) {
    const bool is_bias = edit.at == 2 && edit.tensor.shape().size() == 1 &&
                         (layer.type == "Conv" || layer.type == "ConvTranspose" || layer.type == "MatMul");
    if (is_bias) return add_bias(edit.layer, edit.tensor);
    return fail(ErrorKind::unsupported, fmt::format("{} takes no input {}", layer.native_type, edit.at));
  }
  const auto tensor = constant_like(edit.tensor, layer.inputs[edit.at]);
  if (!tensor) return tl::unexpected(tensor.error());
  plan_.node_of(edit.layer).set_inputs(static_cast<int>(edit.at), *tensor);
  return {};
}

Result<void> TensorflowEdits::make_one(const SetHyper& edit) {
  const NetworkLayer& layer = network_.layers[as_index(edit.layer)];
  set_by_layer_[edit.layer][edit.name] = edit.hyper;
  if (layer.type == "Slice") return set_slice(edit.layer, edit.name, edit.hyper);
  const auto is_input = set_hyper_input(edit.layer, edit.name, edit.hyper);
  if (!is_input) return tl::unexpected(is_input.error());
  if (*is_input) return {};
  if (layer.native_type == "Relu6" && (edit.name == "min" || edit.name == "max")) {
    auto hyper = layer.hyper;
    for (const auto& [name, said] : set_by_layer_[edit.layer]) hyper[name] = said;
    tensorflow::Node& node = plan_.node_of(edit.layer);
    node.mutable_inputs()->DeleteSubrange(1, node.inputs_size() - 1);
    return set_type(node, "Clip", hyper, type_of_data(edit.layer));
  }
  const auto done = set_tensorflow_hyper(plan_.node_of(edit.layer), edit.name, edit.hyper);
  if (!done) return tl::unexpected(done.error());
  if (*done) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("{} has no {}", printable(layer.native_type, 80), printable(edit.name, 80)));
}

Result<void> TensorflowEdits::make_one(const SetType& edit) {
  tensorflow::Node& node = plan_.node_of(edit.layer);
  const int count = node.inputs_size();
  for (int at = count - 1; at >= 0; --at) {
    const InputRule* rule = tensorflow_input_rule(node.op(), as_index(at), as_index(count));
    if (rule != nullptr && rule->is_hyper) node.mutable_inputs()->DeleteSubrange(at, 1);
  }
  return set_type(node, edit.type, edit.hyper, type_of_data(edit.layer));
}

Result<void> TensorflowEdits::make_one(const Bypass& edit) {
  tensorflow::Node& node = plan_.node_of(edit.layer);
  const NetworkLayer& layer = network_.layers[as_index(edit.layer)];
  if (node.inputs_size() == 0 || layer.inputs.empty() || layer.inputs[0] < 0 || layer.outputs.empty())
    return fail(ErrorKind::unsupported, "it takes nothing, or gives nothing");
  const auto users = users_of(network_);
  for (std::size_t i = 1; i < layer.outputs.size(); ++i)
    if (layer.outputs[i] >= 0 && !users[as_index(layer.outputs[i])].empty())
      return fail(ErrorKind::unsupported, fmt::format("its output {} is used", i));
  node.mutable_inputs()->DeleteSubrange(1, node.inputs_size() - 1);
  return set_type(node, "Identity", {}, type_of(layer.inputs[0]));
}

Result<void> TensorflowEdits::make_one(const InsertBehind& edit) {
  if (edit.with >= 0) return fail(ErrorKind::unsupported, "an operator of two values is not put into a graph");
  std::vector<std::string> constants;
  for (const Tensor& tensor : edit.constants) {
    if (tensor.dtype() == DType::undefined) continue;  // those that are hyper-parameters here
    auto constant = constant_like(tensor, -1);
    if (!constant) return tl::unexpected(constant.error());
    constants.push_back(std::move(*constant));
  }
  const std::string taken = shown(edit.value);
  tensorflow::Node& node = plan_.add_node("Identity", type_of(edit.value));
  node.add_inputs(taken);
  const bool takes_two = edit.layer.type == "Add" || edit.layer.type == "Sub" || edit.layer.type == "Mul" ||
                         edit.layer.type == "Div" || edit.layer.type == "PRelu";
  for (const std::string& constant : constants)
    if (takes_two) node.add_inputs(constant);
  if (auto ok = set_type(node, edit.layer.type, edit.layer.hyper, type_of(edit.value)); !ok) return ok;
  const std::string made = whole_tensor_name(node.name());
  for (const int user : edit.users) std::ranges::replace(*plan_.node_of(user).mutable_inputs(), taken, made);
  if (edit.users.empty()) use_instead(edit.value, made, &node);
  return {};
}

Result<void> TensorflowEdits::make_one(const SetInput& edit) {
  const NetworkLayer& layer = network_.layers[as_index(edit.layer)];
  if (edit.at >= layer.inputs.size())
    return fail(ErrorKind::unsupported, fmt::format("{} takes no input {}", printable(layer.native_type, 80), edit.at));
  plan_.node_of(edit.layer).set_inputs(static_cast<int>(edit.at), shown(edit.value));
  return {};
}

Result<void> TensorflowEdits::make_one(const SetOutput& /*edit*/) {
  return fail(ErrorKind::unsupported, "outputs of a graph of TensorFlow are not exchanged");
}

}  // namespace culprit
