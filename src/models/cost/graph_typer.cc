#include "cost/graph_typer.h"

#include <algorithm>

#include "cost/call_attributes.h"
#include "cost/constant_value.h"
#include "cost/fold_small.h"
#include "cost/op_name.h"
#include "model/graph_walk.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr int deepest_call = 24;

Opsets opsets_of(const google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports) {
  Opsets opsets;
  for (const auto& import : imports) {
    auto& version = opsets[std::string(domain_of(import.domain()))];
    version = std::max(version, static_cast<int>(std::clamp<std::int64_t>(import.version(), 0, 1 << 20)));
  }
  return opsets;
}

ValueShape shape_in(const ShapeScope& scope, const std::string& name) {
  const auto* type = name.empty() ? nullptr : scope.type(name);
  return type == nullptr ? ValueShape{name} : value_shape(name, *type);
}

void set_seen(ShapeScope& scope, const std::string& name, const SeenValue& value) {
  onnx::TypeProto type;
  const auto* known = scope.type(name);
  if (value.dtype != DType::undefined) {
    type.mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(value.dtype));
  } else if (known != nullptr) {
    type.mutable_tensor_type()->set_elem_type(known->tensor_type().elem_type());
  }
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : value.shape) shape.add_dim()->set_dim_value(size);
  scope.set_type(name, type);
  if (static_cast<std::int32_t>(value.elements.dtype()) != type.tensor_type().elem_type() ||
      value.elements.shape() != value.shape)
    return;
  auto& tensor = scope.make_tensor();
  tensor = to_proto(value.elements, name);
  scope.set_stored(name, tensor);
}

std::int64_t nodes_inside(const onnx::NodeProto& node) {
  std::int64_t nodes = 0;
  for (const auto& attribute : node.attribute()) {
    const auto count = [&](const onnx::GraphProto& graph) { nodes += graph.node_size(); };
    if (attribute.has_g()) for_each_graph(attribute.g(), count);
    for (const auto& inner : attribute.graphs()) for_each_graph(inner, count);
  }
  return nodes;
}

/// Does what was inferred say nothing that the declared type contradicts?
bool agree(const ValueShape& inferred, const ValueShape& declared) {
  if (inferred.dtype != DType::undefined && inferred.dtype != declared.dtype) return false;
  if (!inferred.dims) return true;
  if (inferred.rank() != declared.rank()) return false;
  for (int axis = 0; axis < inferred.rank(); ++axis) {
    if (inferred.dim(axis) >= 0 && inferred.dim(axis) != declared.dim(axis)) return false;
  }
  return true;
}

}  // namespace

GraphTyper::GraphTyper(const onnx::ModelProto& model) : model_(model), opsets_(opsets_of(model.opset_import())) {
  if (model.opset_import().empty()) opsets_[""] = 1;  // IR versions before 3 have no list of them
  for (const auto& function : model.functions()) {
    const std::string domain(domain_of(function.domain()));
    functions_.emplace(domain.empty() ? function.name() : domain + "." + function.name(), &function);
  }
}

TypedGraph GraphTyper::type_main(const SeenValues& seen) {
  ShapeScope scope;
  for (const auto& input : model_.graph().input()) {
    scope.set_type(input.name(), input.type());
    if (const auto known = seen.find(input.name()); known != seen.end()) set_seen(scope, input.name(), known->second);
  }
  return type_graph(model_.graph(), {.opsets = opsets_, .scope = scope, .seen = &seen});
}

GraphTyper::Declared GraphTyper::declared_in(const onnx::GraphProto& graph) const {
  Declared declared;
  if (!believes_declared_) return declared;
  for (const auto* values : {&graph.value_info(), &graph.output()}) {
    for (const auto& value : *values) declared.emplace(value.name(), &value.type());
  }
  return declared;
}

TypedGraph GraphTyper::type_graph(const onnx::GraphProto& graph, const Place& place) {
  TypedGraph typed;
  std::unordered_map<std::string_view, bool> is_stored;
  for (const auto& tensor : graph.initializer()) {
    place.scope.set_stored(tensor.name(), tensor);
    typed.stored.push_back(shape_in(place.scope, tensor.name()));
    is_stored[tensor.name()] = true;
  }
  for (const auto& tensor : graph.sparse_initializer()) is_stored[tensor.values().name()] = true;
  for (const auto& input : graph.input()) {
    if (!is_stored.contains(input.name())) typed.inputs.push_back(shape_in(place.scope, input.name()));
  }
  const Declared declared = declared_in(graph);
  typed.nodes.reserve(static_cast<std::size_t>(graph.node_size()));
  for (const auto& node : graph.node()) typed.nodes.push_back(type_node(node, declared, place));
  for (const auto& output : graph.output()) typed.outputs.push_back(shape_in(place.scope, output.name()));
  return typed;
}

TypedNode GraphTyper::type_node(const onnx::NodeProto& node, const Declared& declared, const Place& place) {
  TypedNode typed;
  typed.node = place.call == nullptr ? std::shared_ptr<const onnx::NodeProto>(std::shared_ptr<void>(), &node)
                                     : with_call_attributes(node, *place.call, *place.function);
  typed.nodes_inside = nodes_inside(node);
  if (has_graph(node)) typed.kind = TypedNode::Kind::opaque;
  for (const auto& input : node.input()) typed.inputs.push_back(shape_in(place.scope, input));
  if (visits_left_ > 0) {
    --visits_left_;
    infer(typed, place);
  }
  for (const auto& output : node.output()) {
    if (!output.empty()) settle_output(output, declared, place);
    typed.outputs.push_back(shape_in(place.scope, output));
  }
  return typed;
}

void GraphTyper::settle_output(const std::string& name, const Declared& declared, const Place& place) const {
  if (place.seen != nullptr) {
    if (const auto known = place.seen->find(name); known != place.seen->end())
      return set_seen(place.scope, name, known->second);
  }
  const auto said = declared.find(name);
  if (said == declared.end()) return;
  const ValueShape inferred = shape_in(place.scope, name);
  if (inferred.dtype != DType::undefined && inferred.count() >= 0) return;
  if (agree(inferred, value_shape(name, *said->second))) place.scope.set_type(name, *said->second);
}

void GraphTyper::infer(TypedNode& typed, const Place& place) {
  const std::string op = op_name(*typed.node);
  if (op == "If") return infer_if(typed, place);
  if (op == "Loop") return infer_loop(typed, place);
  if (op == "Scan") return infer_scan(typed, place);
  if (has_graph(*typed.node)) return;
  if (const auto function = functions_.find(op); function != functions_.end()) {
    return infer_call(typed, *function->second, place);
  }
  if (op == "Constant") set_constant(*typed.node, place.scope);
  infer_node(*typed.node, place.opsets, place.scope);
  fold_small(*typed.node, place.scope);
}

void GraphTyper::infer_call(TypedNode& typed, const onnx::FunctionProto& function, const Place& place) {
  typed.kind = TypedNode::Kind::call;
  typed.nodes_inside = function.node_size();
  if (place.depth >= deepest_call) return;
  const Opsets opsets = opsets_of(function.opset_import());
  ShapeScope scope;
  const auto& node = *typed.node;
  TypedGraph body;
  for (int i = 0; i < std::min(function.input_size(), node.input_size()); ++i) {
    scope.bind(function.input(i), place.scope, node.input(i));
    body.inputs.push_back(shape_in(scope, function.input(i)));
  }
  const Place inside{.opsets = opsets, .scope = scope, .call = &node, .function = &function, .depth = place.depth + 1};
  for (const auto& inner : function.node()) body.nodes.push_back(type_node(inner, {}, inside));
  for (int i = 0; i < function.output_size(); ++i) {
    body.outputs.push_back(shape_in(scope, function.output(i)));
    if (i >= node.output_size() || node.output(i).empty()) continue;
    if (const auto* type = scope.type(function.output(i))) place.scope.set_type(node.output(i), *type);
    if (const auto* known = scope.integers(function.output(i))) place.scope.set_integers(node.output(i), *known);
  }
  typed.inside.push_back(std::move(body));
}

}  // namespace culprit
