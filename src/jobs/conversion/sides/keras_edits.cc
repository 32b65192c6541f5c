#include "conversion/sides/keras_edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/as_index.h"
#include "base/hash.h"
#include "base/text.h"
#include "conversion/sides/make_edits.h"
#include "network/tensorflow/tensor_value.h"
#include "network/tensorflow/tensorflow_model.h"
#include "network/tensorflow/tensorflow_types.h"

namespace culprit {
namespace {

using tensorflow::Node;

/// Of ONNX's operators those that take two values, in TensorFlow's words.
using OperatorWord = std::pair<std::string_view, const char*>;
constexpr std::array of_two_values{OperatorWord{"Add", "AddV2"}, OperatorWord{"Sub", "Sub"}, OperatorWord{"Mul", "Mul"},
                                   OperatorWord{"Div", "RealDiv"}};

std::string identity_of(const Tensor& tensor) {
  const std::string bytes(reinterpret_cast<const char*>(tensor.bytes().data()), tensor.bytes().size());
  return fmt::format("{} {} {}", static_cast<int>(tensor.dtype()), tensor.count(), sha256_of(bytes));
}

}  // namespace

Result<void> KerasEdits::make(const std::vector<Edit>& edits) {
  return make_each(edits, keras_.network, [this](const auto& edit) { return make_one(edit); });
}

std::string KerasEdits::shown(int value) const {
  const auto instead = instead_.find(value);
  return instead == instead_.end() ? keras_.tensors[as_index(value)].shown : instead->second;
}

std::string KerasEdits::taken_from(int value) const {
  const bool is_input = std::ranges::find(keras_.network.inputs, value) != keras_.network.inputs.end();
  return is_input && !instead_.contains(value) ? keras_.network.values[as_index(value)].name : shown(value);
}

void KerasEdits::find_constants() {
  if (!constants_.empty()) return;
  std::uint64_t most = 0;  // bytes of lists that are too short: weights are none
  for (int i = 0; i < graph_.nodes_size(); ++i) {
    const auto value = graph_.nodes(i).attributes().find("value");
    if (graph_.nodes(i).op() != "Const" || value == graph_.nodes(i).attributes().end()) continue;
    const auto tensor = tensor_of_tensorflow(value->second.tensor(), most);
    if (tensor) constants_[identity_of(*tensor)].push_back(i);
  }
}

Result<void> KerasEdits::make_one(const SetConstant& edit) {
  const auto& stored = keras_.network.values[as_index(edit.value)].constant;
  if (edit.layer >= 0 || !stored) return fail(ErrorKind::unsupported, "a model of Keras runs as it is");
  find_constants();
  const auto found = constants_.find(identity_of(*stored));
  if (found == constants_.end() || edit.tensor.count() != stored->count() || edit.tensor.dtype() != stored->dtype())
    return fail(ErrorKind::unsupported, "the graph of Keras does not hold these numbers as they are");
  for (const int number : found->second) {
    auto& value = (*graph_.mutable_nodes(number)->mutable_attributes())["value"];
    std::uint64_t most = 0;
    const auto old = tensor_of_tensorflow(value.tensor(), most);
    if (!old) return tl::unexpected(old.error());
    const auto made =
        Tensor::from_bytes(old->dtype(), old->shape(), {edit.tensor.bytes().begin(), edit.tensor.bytes().end()});
    const auto bytes = made ? tensorflow_tensor(*made) : Result<std::string>(tl::unexpected(made.error()));
    if (!bytes) return tl::unexpected(bytes.error());
    value.set_tensor(*bytes);
  }
  return {};
}

Node& KerasEdits::add_node(const std::string& operation) {
  Node& node = *graph_.add_nodes();
  node.set_name(fmt::format("culprit_edit_{}", added_++));
  node.set_op(operation);
  return node;
}

void KerasEdits::use_instead(int value, const std::string& tensor) {
  const std::string taken = taken_from(value), of_node(node_of_tensor(taken));
  for (Node& node : *graph_.mutable_nodes()) {
    std::ranges::replace(*node.mutable_inputs(), taken, tensor);
    if (taken == of_node + ":0") std::ranges::replace(*node.mutable_inputs(), of_node, tensor);
  }
  instead_[value] = tensor;
}

/// The new node is added when all uses are turned, for it takes the value itself.
Result<void> KerasEdits::cast_behind(int value, std::int32_t to) {
  const std::string taken = taken_from(value);
  use_instead(value, fmt::format("culprit_edit_{}:0", added_));
  std::int32_t& type = types_.try_emplace(value, tensorflow_float).first->second;
  Node& node = add_node("Cast");
  node.add_inputs(taken);
  (*node.mutable_attributes())["SrcT"].set_type(type);
  (*node.mutable_attributes())["DstT"].set_type(to);
  type = to;
  return {};
}

Result<void> KerasEdits::compute_behind(int value, const char* operation, const Tensor& with) {
  const auto bytes = tensorflow_tensor(with);
  const auto type = tensorflow_type_of(with.dtype());
  if (!bytes) return tl::unexpected(bytes.error());
  Node& constant = add_node("Const");
  (*constant.mutable_attributes())["dtype"].set_type(type.value_or(tensorflow_float));
  (*constant.mutable_attributes())["value"].set_tensor(*bytes);
  const std::string other = constant.name(), taken = taken_from(value);
  use_instead(value, fmt::format("culprit_edit_{}:0", added_));
  Node& node = add_node(operation);
  node.add_inputs(taken);
  node.add_inputs(other);
  (*node.mutable_attributes())["T"].set_type(type.value_or(tensorflow_float));
  return {};
}

Result<void> KerasEdits::make_one(const InsertBehind& edit) {
  const auto refused = [&] {
    return fail(ErrorKind::unsupported, fmt::format("{} cannot be put there", printable(edit.layer.type, 80)));
  };
  if (taken_from(edit.value).empty() || !edit.users.empty() || edit.with >= 0) return refused();
  if (edit.layer.type == "Cast" && edit.constants.empty()) {
    const auto to = edit.layer.hyper.find("to");
    const auto* number = to == edit.layer.hyper.end() ? nullptr : std::get_if<std::int64_t>(&to->second);
    const auto type = number == nullptr ? std::nullopt : tensorflow_type_of(static_cast<DType>(*number));
    return type ? cast_behind(edit.value, *type) : refused();
  }
  const auto known = std::ranges::find(of_two_values, edit.layer.type, &OperatorWord::first);
  if (known == of_two_values.end() || edit.constants.size() != 1) return refused();
  return compute_behind(edit.value, known->second, edit.constants.front());
}

}  // namespace culprit
