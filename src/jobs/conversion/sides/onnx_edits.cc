#include "conversion/sides/onnx_edits.h"

#include <fmt/format.h>
#include <onnx/defs/schema.h>

#include <algorithm>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/sides/hyper_numbers.h"
#include "conversion/sides/make_edits.h"
#include "conversion/sides/ways.h"
#include "model/graph_walk.h"
#include "model/order_by_use.h"
#include "network/operator_rule.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using AttributeType = onnx::AttributeProto::AttributeType;

/// In the graph and in bodies of its nodes, but not in the last `but_last` nodes of the graph.
void replace_uses(onnx::GraphProto& graph, const std::string& name, const std::string& by, int but_last = 0) {
  for (int i = 0; i < graph.node_size() - but_last; ++i) {
    onnx::NodeProto& node = *graph.mutable_node(i);
    std::ranges::replace(*node.mutable_input(), name, by);
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) replace_uses(*attribute.mutable_g(), name, by);
      for (auto& inner : *attribute.mutable_graphs()) replace_uses(inner, name, by);
    }
  }
  // What a body gives may be a value from around it; outputs of the main graph are asked for by `shown`.
  if (but_last == 0)
    for (auto& output : *graph.mutable_output())
      if (output.name() == name) output.set_name(by);
}

/// As it is, where no schema tells.
AttributeType own_type(const Hyper& hyper) {
  constexpr std::array types{onnx::AttributeProto::INT, onnx::AttributeProto::FLOAT, onnx::AttributeProto::STRING,
                             onnx::AttributeProto::INTS, onnx::AttributeProto::FLOATS};
  return types.at(hyper.index());
}

/// Nothing where the hyper-parameter cannot be of that type.
bool write_hyper(onnx::AttributeProto& to, AttributeType type, const Hyper& hyper) {
  to.set_type(type);
  const auto* word = std::get_if<std::string>(&hyper);
  if ((word != nullptr) != (type == onnx::AttributeProto::STRING)) return false;
  const std::vector<double> numbers = numbers_of(hyper);
  switch (type) {
    case onnx::AttributeProto::STRING:
      to.set_s(*word);
      return true;
    case onnx::AttributeProto::INT:
      if (numbers.size() == 1) to.set_i(wholes_of(hyper).front());
      return numbers.size() == 1;
    case onnx::AttributeProto::FLOAT:
      if (numbers.size() == 1) to.set_f(static_cast<float>(numbers.front()));
      return numbers.size() == 1;
    case onnx::AttributeProto::INTS:
      for (const std::int64_t number : wholes_of(hyper)) to.add_ints(number);
      return true;
    case onnx::AttributeProto::FLOATS:
      for (const double number : numbers) to.add_floats(static_cast<float>(number));
      return true;
    default:
      return false;
  }
}

void drop_attribute(onnx::NodeProto& node, const std::string& name) {
  auto& attributes = *node.mutable_attribute();
  for (int i = attributes.size() - 1; i >= 0; --i)
    if (attributes.Get(i).name() == name) attributes.DeleteSubrange(i, 1);
}

Result<Tensor> tensor_of(const Hyper& hyper, DType type) {
  const Shape shape = is_list(hyper) ? Shape{static_cast<std::int64_t>(numbers_of(hyper).size())} : Shape{};
  const Tensor made = is_whole(hyper) ? Tensor::of<std::int64_t>(shape, wholes_of(hyper))
                                      : Tensor::of<double>(shape, numbers_of(hyper));
  return cast(made, type);
}

/// The place of a hyper-parameter among the operator's inputs.
std::optional<std::size_t> input_of_hyper(const onnx::OpSchema& schema, const std::string& op,
                                          const std::string& name) {
  for (std::size_t at = 0; at < schema.inputs().size(); ++at) {
    const InputRule* rule = input_rule(op, at);
    if (rule != nullptr && rule->is_hyper && rule->role == name) return at;
  }
  return std::nullopt;
}

void collect_names(const onnx::GraphProto& graph, std::set<std::string>& names) {
  for_each_graph(graph, [&](const onnx::GraphProto& inner) {
    for (const auto& input : inner.input()) names.insert(input.name());
    for (const auto& tensor : inner.initializer()) names.insert(tensor.name());
    for (const auto& tensor : inner.sparse_initializer()) names.insert(tensor.values().name());
    for (const auto& node : inner.node()) {
      names.insert(node.name());
      names.insert(node.output().begin(), node.output().end());
    }
  });
}

}  // namespace

OnnxEdits::OnnxEdits(onnx::ModelProto& model, const Network& network) : model_(model), network_(network) {
  for (const auto& opset : model.opset_import())
    versions_[std::string(domain_of(opset.domain()))] = static_cast<int>(opset.version());
}

const std::string& OnnxEdits::shown(int value) const {
  const auto other = instead_.find(value);
  return other == instead_.end() ? network_.values[as_index(value)].name : other->second;
}

Result<void> OnnxEdits::make(const std::vector<Edit>& edits) {
  if (edits.empty()) return {};
  collect_names(model_.graph(), taken_);
  if (auto ok = make_each(edits, network_, [this](const auto& edit) { return make_one(edit); }); !ok) return ok;
  sort_by_use(*model_.mutable_graph());
  return {};
}

/// Nodes that are added stand behind all others until the end.
onnx::NodeProto& OnnxEdits::node_of(int layer) {
  return *model_.mutable_graph()->mutable_node(static_cast<int>(network_.layers[as_index(layer)].native));
}

std::string OnnxEdits::new_name() {
  std::string name;
  do {
    name = fmt::format("culprit_edit_{}", number_++);
  } while (!taken_.insert(name).second);
  return name;
}

std::string OnnxEdits::add_constant(const Tensor& tensor) {
  if (tensor.dtype() == DType::undefined) return "";
  std::string name = new_name();
  *model_.mutable_graph()->add_initializer() = to_proto(tensor, name);
  return name;
}

void OnnxEdits::set_input(onnx::NodeProto& node, std::size_t at, const std::string& name) {
  while (as_index(node.input_size()) <= at) node.add_input("");
  node.set_input(static_cast<int>(at), name);
}

Result<void> OnnxEdits::make_one(const SetConstant& edit) {
  const std::string name = add_constant(edit.tensor);
  if (edit.layer >= 0) {
    onnx::NodeProto& node = node_of(edit.layer);
    if (as_index(node.input_size()) > edit.at) replaced_.emplace_back(node.input(static_cast<int>(edit.at)), name);
    set_input(node, edit.at, name);
    return {};
  }
  replaced_.emplace_back(shown(edit.value), name);
  replace_uses(*model_.mutable_graph(), shown(edit.value), name);
  instead_[edit.value] = name;
  return {};
}

DType OnnxEdits::type_of(int value) const {
  while (value >= 0) {
    const NetworkValue& known = network_.values[as_index(value)];
    if (known.dtype != DType::undefined) return known.dtype;
    if (known.made_by < 0) break;
    const auto& inputs = network_.layers[as_index(known.made_by)].inputs;
    value = inputs.empty() || network_.layers[as_index(known.made_by)].type == "Cast" ? -1 : inputs.front();
  }
  return DType::f32;
}

DType OnnxEdits::type_of_data(int layer) const {
  const auto& inputs = network_.layers[as_index(layer)].inputs;
  return inputs.empty() ? DType::f32 : type_of(inputs.front());
}

Result<bool> OnnxEdits::set_hyper(onnx::NodeProto& node, const std::string& name, const Hyper& hyper, DType data) {
  const std::string domain(domain_of(node.domain()));
  const auto version = versions_.find(domain);
  const auto* schema =
      version == versions_.end() ? nullptr : onnx::OpSchemaRegistry::Schema(node.op_type(), version->second, domain);
  const auto place = schema == nullptr ? std::nullopt : input_of_hyper(*schema, node.op_type(), name);
  if (place) {
    if (std::holds_alternative<std::string>(hyper)) return fail(ErrorKind::unsupported, name + " is no word");
    const bool is_like_data = schema->inputs()[*place].GetTypeStr() == schema->inputs().front().GetTypeStr();
    const DType other = is_whole(hyper) ? DType::i64 : DType::f32;
    const auto tensor = tensor_of(hyper, is_like_data ? data : other);
    if (!tensor) return tl::unexpected(tensor.error());
    set_input(node, *place, add_constant(*tensor));
    return true;
  }
  if (schema != nullptr && !schema->attributes().contains(name)) return false;
  onnx::AttributeProto attribute;
  attribute.set_name(name);
  const AttributeType type =
      schema == nullptr ? own_type(hyper) : static_cast<AttributeType>(schema->attributes().at(name).type);
  if (!write_hyper(attribute, type, hyper))
    return fail(ErrorKind::unsupported, fmt::format("{} of {} cannot be {}", name, node.op_type(), to_string(hyper)));
  drop_attribute(node, name);
  *node.add_attribute() = std::move(attribute);
  return true;
}

Result<void> OnnxEdits::make_one(const SetHyper& edit) {
  onnx::NodeProto& node = node_of(edit.layer);
  const auto done = set_hyper(node, edit.name, edit.hyper, type_of_data(edit.layer));
  if (!done) return tl::unexpected(done.error());
  if (*done) return {};
  return fail(ErrorKind::unsupported,
              fmt::format("{} has no {} in the opset of the model", printable(node.op_type()), printable(edit.name)));
}

void OnnxEdits::set_type(onnx::NodeProto& node, const std::string& type) {
  const auto dot = type.rfind('.');
  const std::string domain = dot == std::string::npos ? "" : type.substr(0, dot);
  node.set_op_type(dot == std::string::npos ? type : type.substr(dot + 1));
  node.set_domain(domain);
  node.clear_attribute();
  if (versions_.contains(domain)) return;
  auto& opset = *model_.add_opset_import();
  opset.set_domain(domain);
  opset.set_version(1);
  versions_[domain] = 1;
}

Result<void> OnnxEdits::make_one(const SetType& edit) {
  onnx::NodeProto& node = node_of(edit.layer);
  for (int at = node.input_size() - 1; at > 0; --at) {
    const InputRule* rule = input_rule(node.op_type(), as_index(at));
    if (rule != nullptr && rule->is_hyper) node.set_input(at, "");
  }
  set_type(node, edit.type);
  const auto* schema = onnx::OpSchemaRegistry::Schema(node.op_type(), versions_[node.domain()], node.domain());
  if (schema == nullptr)
    return fail(ErrorKind::unsupported, printable(edit.type) + " is not known in the opset of the model");
  while (node.input_size() > schema->max_input() ||
         (node.input_size() > 0 && node.input(node.input_size() - 1).empty()))
    node.mutable_input()->RemoveLast();
  for (const auto& [name, hyper] : edit.hyper)
    if (const auto done = set_hyper(node, name, hyper, type_of_data(edit.layer)); !done)
      return tl::unexpected(done.error());
  return {};
}

Result<void> OnnxEdits::make_one(const Bypass& edit) {
  onnx::NodeProto& node = node_of(edit.layer);
  if (node.input_size() == 0 || node.input(0).empty() || node.output_size() == 0 || node.output(0).empty())
    return fail(ErrorKind::unsupported, "it takes nothing, or gives nothing");
  const auto users = users_of(network_);
  const auto& outputs = network_.layers[as_index(edit.layer)].outputs;
  for (std::size_t i = 1; i < outputs.size(); ++i)
    if (outputs[i] >= 0 && !users[as_index(outputs[i])].empty())
      return fail(ErrorKind::unsupported, fmt::format("its output {} is used", i));
  set_type(node, "Identity");
  node.mutable_input()->DeleteSubrange(1, node.input_size() - 1);
  node.mutable_output()->DeleteSubrange(1, node.output_size() - 1);
  return {};
}

Result<void> OnnxEdits::make_one(const InsertBehind& edit) {
  const std::string taken = shown(edit.value), made = new_name();
  std::vector<std::string> constants;
  constants.reserve(edit.constants.size());
  for (const Tensor& tensor : edit.constants) constants.push_back(add_constant(tensor));
  onnx::NodeProto& node = *model_.mutable_graph()->add_node();
  node.set_name(made);
  node.add_input(taken);
  if (edit.with >= 0) node.add_input(shown(edit.with));
  if (edit.is_with_first && edit.with >= 0) node.mutable_input()->SwapElements(0, 1);
  for (const std::string& constant : constants) node.add_input(constant);
  node.add_output(made);
  set_type(node, edit.layer.type);
  for (const auto& [name, hyper] : edit.layer.hyper)
    if (const auto done = set_hyper(node, name, hyper, type_of(edit.value)); !done) return tl::unexpected(done.error());
  for (const int user : edit.users) std::ranges::replace(*node_of(user).mutable_input(), taken, made);
  if (edit.users.empty()) {
    replace_uses(*model_.mutable_graph(), taken, made, 1);
    instead_[edit.value] = made;
  }
  if (edit.with < 0) return {};
  for (const int user : Ways(network_).users_before(edit.value, edit.with))
    std::ranges::replace(*node_of(user).mutable_input(), made, taken);
  return {};
}

Result<void> OnnxEdits::make_one(const SetInput& edit) {
  set_input(node_of(edit.layer), edit.at, shown(edit.value));
  return {};
}

Result<void> OnnxEdits::make_one(const SetOutput& edit) {
  outputs_[edit.at] = edit.value;
  return {};
}

const std::string& OnnxEdits::shown_at(std::size_t output) const {
  const auto given = outputs_.find(output);
  return shown(given == outputs_.end() ? network_.outputs[output] : given->second);
}

}  // namespace culprit
