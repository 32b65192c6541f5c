// If, Loop and Scan: what their bodies see, how often these run, and what comes out (ONNX Operators.md).

#include <algorithm>
#include <limits>

#include "cost/graph_typer.h"
#include "cost/value_shape.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

/// So often a body is walked again with vaguer types before its state counts as unknown.
constexpr int most_walks = 3;

const onnx::GraphProto* body_of(const onnx::NodeProto& node, std::string_view name) {
  const auto* attribute = attribute_of(node, name);
  return attribute != nullptr && attribute->has_g() ? &attribute->g() : nullptr;
}

onnx::TypeProto type_from(const ValueShape& value) {
  onnx::TypeProto type;
  if (value.dtype == DType::undefined) return type;
  type.mutable_tensor_type()->set_elem_type(static_cast<std::int32_t>(value.dtype));
  if (!value.dims) return type;
  auto& shape = *type.mutable_tensor_type()->mutable_shape();
  for (const std::int64_t size : *value.dims) {
    auto& dim = *shape.add_dim();
    if (size >= 0) dim.set_dim_value(size);
  }
  return type;
}

/// What holds for both.
ValueShape common(const ValueShape& one, const ValueShape& other) {
  ValueShape both = one;
  if (one.dtype != other.dtype) return {one.name};
  if (one.rank() != other.rank()) both.dims.reset();
  for (int axis = 0; axis < both.rank(); ++axis) {
    auto& size = (*both.dims)[static_cast<std::size_t>(axis)];
    if (size != (*other.dims)[static_cast<std::size_t>(axis)]) size = -1;
  }
  return both;
}

void set_output(const onnx::NodeProto& node, int i, const ValueShape& value, ShapeScope& scope) {
  if (i < node.output_size() && !node.output(i).empty()) scope.set_type(node.output(i), type_from(value));
}

/// The sizes of all turns' values together: one more axis, as long as there are turns.
ValueShape stacked(const ValueShape& one, double turns, std::int64_t axis) {
  ValueShape all = one;
  if (!all.dims) return all;
  const std::int64_t rank = all.rank() + 1;
  const std::int64_t at = axis < 0 ? axis + rank : axis;
  if (at < 0 || at >= rank) return {one.name};
  const bool is_size = turns >= 0 && turns <= static_cast<double>(std::int64_t{1} << 48);
  all.dims->insert(all.dims->begin() + at, is_size ? static_cast<std::int64_t>(turns) : -1);
  return all;
}

/// One turn's part of a value.
ValueShape slice_of(const ValueShape& all, std::int64_t axis) {
  ValueShape one = all;
  if (!one.dims) return one;
  const std::int64_t at = axis < 0 ? axis + all.rank() : axis;
  if (at < 0 || at >= all.rank()) return {all.name};
  one.dims->erase(one.dims->begin() + at);
  return one;
}

std::int64_t at_or_zero(const onnx::AttributeProto* list, int i) {
  return list != nullptr && i >= 0 && i < list->ints_size() ? list->ints(i) : 0;
}

/// Does the body go on whenever it is asked to: is what it says the condition that it was given, or a stored truth?
bool always_goes_on(const onnx::GraphProto& body) {
  if (body.output_size() < 1 || body.input_size() < 2) return false;
  std::string name = body.output(0).name();
  for (int i = body.node_size(); i-- > 0;) {
    const auto& node = body.node(i);
    if (node.output_size() != 1 || node.output(0) != name) continue;
    if (node.op_type() == "Identity" && node.input_size() == 1) {
      name = node.input(0);
    } else {
      const auto* value = node.op_type() == "Constant" ? attribute_of(node, "value") : nullptr;
      ShapeScope scope;
      if (value != nullptr && value->has_t()) scope.set_stored("value", value->t());
      return scope.number("value").value_or(0) == 1;
    }
  }
  ShapeScope scope;
  for (const auto& tensor : body.initializer()) {
    if (tensor.name() == name) scope.set_stored(name, tensor);
  }
  return name == body.input(1).name() || scope.number(name).value_or(0) == 1;
}

}  // namespace

void GraphTyper::infer_if(TypedNode& typed, const Place& place) {
  const auto& node = *typed.node;
  typed.kind = TypedNode::Kind::choice;
  const auto condition = node.input_size() > 0 ? place.scope.number(node.input(0)) : std::nullopt;
  for (const bool is_then : {true, false}) {
    const auto* branch = body_of(node, is_then ? "then_branch" : "else_branch");
    if (branch == nullptr || (condition && (*condition != 0) != is_then)) continue;
    ShapeScope scope(&place.scope);
    Place inside{.opsets = place.opsets, .scope = scope, .depth = place.depth + 1};
    typed.inside.push_back(type_graph(*branch, inside));
  }
  if (typed.inside.empty()) return;
  for (int i = 0; i < node.output_size(); ++i) {
    const auto place_of = static_cast<std::size_t>(i);
    const auto& first = typed.inside.front().outputs;
    const auto& last = typed.inside.back().outputs;
    if (place_of < first.size() && place_of < last.size()) {
      set_output(node, i, common(first[place_of], last[place_of]), place.scope);
    }
  }
}

TypedGraph GraphTyper::type_body(const onnx::GraphProto& body, std::vector<onnx::TypeProto> inputs, int first_state,
                                 int states, int first_output, const Place& place) {
  for (int walk = 0;; ++walk) {
    ShapeScope scope(&place.scope);
    for (int i = 0; i < body.input_size() && i < static_cast<int>(inputs.size()); ++i) {
      scope.set_type(body.input(i).name(), inputs[static_cast<std::size_t>(i)]);
    }
    const Place inside{.opsets = place.opsets, .scope = scope, .depth = place.depth + 1};
    TypedGraph typed = type_graph(body, inside);
    bool is_stable = true;
    for (int k = 0; k < states; ++k) {
      auto& state = inputs[static_cast<std::size_t>(first_state) + static_cast<std::size_t>(k)];
      const auto made = static_cast<std::size_t>(first_output) + static_cast<std::size_t>(k);
      const ValueShape before = value_shape("", state);
      ValueShape after = made < typed.outputs.size() ? typed.outputs[made] : ValueShape{};
      after.name.clear();
      ValueShape both = common(before, after);
      if (both == before) continue;
      is_stable = false;
      if (walk + 1 >= most_walks) both.dims.reset();
      state = type_from(both);
    }
    if (is_stable || walk > most_walks) return typed;
  }
}

void GraphTyper::infer_loop(TypedNode& typed, const Place& place) {
  const auto& node = *typed.node;
  const auto* body = body_of(node, "body");
  typed.kind = TypedNode::Kind::repeat;
  typed.times = not_known;
  if (body == nullptr || node.input_size() < 2) return;
  const auto most = place.scope.number(node.input(0));
  const bool starts = node.input(1).empty() || place.scope.number(node.input(1)).value_or(0) == 1;
  if (most && starts && always_goes_on(*body)) typed.times = static_cast<double>(std::max<std::int64_t>(*most, 0));
  const int states = node.input_size() - 2;
  std::vector<onnx::TypeProto> inputs = {type_from({"", DType::i64, {{}}}), type_from({"", DType::boolean, {{}}})};
  for (int k = 0; k < states; ++k) inputs.push_back(type_from(typed.inputs[static_cast<std::size_t>(k) + 2]));
  typed.inside.push_back(type_body(*body, std::move(inputs), 2, states, 1, place));
  const auto& made = typed.inside.front().outputs;
  for (int i = 0; i < node.output_size() && static_cast<std::size_t>(i) + 1 < made.size(); ++i) {
    const ValueShape& value = made[static_cast<std::size_t>(i) + 1];
    // No turn at all leaves the state as it was given; what holds for every turn holds for that, too.
    set_output(node, i, i < states ? value : stacked(value, typed.times, 0), place.scope);
  }
}

void GraphTyper::infer_scan(TypedNode& typed, const Place& place) {
  const auto& node = *typed.node;
  const auto* body = body_of(node, "body");
  const std::int64_t scanned = integer_of(node, "num_scan_inputs", 0);
  typed.kind = TypedNode::Kind::repeat;
  typed.times = not_known;
  const auto version = place.opsets.find("");
  const bool has_batches = version != place.opsets.end() && version->second < 9;  // and sizes of their own for each
  if (body == nullptr || has_batches || scanned < 1 || scanned > node.input_size()) return;
  const int states = node.input_size() - static_cast<int>(scanned);
  std::vector<onnx::TypeProto> inputs;
  for (int i = 0; i < node.input_size(); ++i) {
    const ValueShape& given = typed.inputs[static_cast<std::size_t>(i)];
    const std::int64_t axis = at_or_zero(attribute_of(node, "scan_input_axes"), i - states);
    if (i >= states)
      typed.times = i == states || typed.times == given.dim(static_cast<int>(std::clamp<std::int64_t>(axis, -64, 64)))
                        ? given.dim(static_cast<int>(std::clamp<std::int64_t>(axis, -64, 64)))
                        : not_known;
    inputs.push_back(type_from(i < states ? given : slice_of(given, axis)));
  }
  typed.inside.push_back(type_body(*body, std::move(inputs), 0, states, 0, place));
  const auto& made = typed.inside.front().outputs;
  for (int i = 0; i < node.output_size() && static_cast<std::size_t>(i) < made.size(); ++i) {
    const ValueShape& value = made[static_cast<std::size_t>(i)];
    const std::int64_t axis = at_or_zero(attribute_of(node, "scan_output_axes"), i - states);
    set_output(node, i, i < states ? value : stacked(value, typed.times, axis), place.scope);
  }
}

}  // namespace culprit
