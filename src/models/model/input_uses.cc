#include "model/input_uses.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "model/graph_walk.h"
#include "model/input_use_table.h"
#include "model/needed_sizes.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr int deepest = 32;
constexpr std::int64_t most_visits = 500'000;
constexpr std::size_t most_origins = 64;      // of one value: a Concat of more is no plain input
constexpr std::int64_t most_compared = 4096;  // numbers of a constant that are looked at
constexpr double masks_out = 1000;            // what is put or added where nothing should count: -1e4, -3.4e38

class Tracer {
 public:
  explicit Tracer(const onnx::ModelProto& model) : model_(model), opset_(opset_of(model)) {
    for (const auto& function : model.functions()) functions_[key(function.domain(), function.name())] = &function;
  }

  void trace() {
    Scope scope;
    for (const auto& input : model_.graph().input()) {
      TracedValue& value = scope.values[input.name()];
      value.origins = {{input.name()}};
      value.shape = declared_shape(input, true);
      value.table = input.name();
    }
    walk(model_.graph(), scope, 0);
  }

  [[nodiscard]] std::map<std::string, std::vector<Use>>& uses() { return uses_; }
  [[nodiscard]] std::map<std::string, std::int64_t>& sizes() { return sizes_; }

 private:
  static std::string key(std::string_view domain, std::string_view name) {
    return std::string(domain_of(domain)) + ":" + std::string(name);
  }

  void walk(const onnx::GraphProto& graph, Scope& scope, int depth) {
    for (const auto& stored : graph.initializer()) scope.values[stored.name()] = value_of(stored, stored.name());
    for (const auto& known : graph.value_info()) {
      if (auto shape = declared_shape(known, false)) scope.declared.emplace(known.name(), std::move(*shape));
    }
    for (const auto& node : graph.node()) visit(node, scope, depth);
  }

  void visit(const onnx::NodeProto& node, Scope& scope, int depth) {
    if (++visits_ > most_visits) return;
    if (auto constant = constant_of(node)) {
      scope.values[node.output(0)] = std::move(*constant);
      return;
    }
    std::vector<const TracedValue*> inputs;
    for (const std::string& input : node.input()) inputs.push_back(scope.find(input));
    note_uses(node, inputs);
    if (depth == 0) add_needs(node, inputs, sizes_);
    TracedValue result = result_of(node, inputs);
    for (const std::string& output : node.output()) {
      if (output.empty()) continue;
      TracedValue& value = scope.values[output] = result;
      const auto declared = scope.declared.find(output);
      if (!value.shape && declared != scope.declared.end()) value.shape = declared->second;
    }
    if (depth < deepest) enter(node, inputs, scope, depth);
  }

  /// The bodies of If, Loop and Scan, and functions.
  void enter(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs, Scope& scope, int depth) {
    const auto function = functions_.find(key(node.domain(), node.op_type()));
    if (function != functions_.end()) call(*function->second, node, scope, depth);
    const bool feeds_body = node.op_type() == "Loop" || node.op_type() == "Scan";
    for (const auto& attribute : node.attribute()) {
      if (!attribute.has_g()) continue;
      Scope inside;
      inside.outer = &scope;
      const auto& body = attribute.g();
      if (feeds_body) feed(node, body, inputs, inside);
      walk(body, inside, depth + 1);
      pass_out(node, body, inside, scope);
    }
  }

  static void feed(const onnx::NodeProto& node, const onnx::GraphProto& body,
                   const std::vector<const TracedValue*>& inputs, Scope& inside) {
    const int first = node.op_type() == "Loop" ? 1 : 0;  // the counter of a Loop counts up to what is fed
    for (int i = first; i < node.input_size() && i < body.input_size(); ++i) {
      const TracedValue* fed = inputs[static_cast<std::size_t>(i)];
      if (fed == nullptr) continue;
      TracedValue& value = inside.values[body.input(i).name()] = *fed;
      if (node.op_type() == "Scan") value.shape.reset();  // the body sees slices
    }
  }

  /// What a body gives is what the node gives: of If the branches', of Loop without its condition.
  static void pass_out(const onnx::NodeProto& node, const onnx::GraphProto& body, const Scope& inside, Scope& scope) {
    const int skipped = node.op_type() == "Loop" ? 1 : 0;
    for (int i = 0; i < node.output_size() && i + skipped < body.output_size(); ++i) {
      const TracedValue* given = inside.find(body.output(i + skipped).name());
      if (given != nullptr) add_origins(scope.values[node.output(i)].origins, given->origins);
    }
  }

  void call(const onnx::FunctionProto& function, const onnx::NodeProto& node, Scope& scope, int depth) {
    Scope inside;
    for (int i = 0; i < function.input_size() && i < node.input_size(); ++i) {
      if (const TracedValue* fed = scope.find(node.input(i))) inside.values[function.input(i)] = *fed;
    }
    for (const auto& inner : function.node()) visit(inner, inside, depth + 1);
    for (int i = 0; i < function.output_size() && i < node.output_size(); ++i) {
      if (const TracedValue* given = inside.find(function.output(i))) scope.values[node.output(i)] = *given;
    }
  }

  static void add_origins(std::vector<InputOrigin>& to, std::span<const InputOrigin> more) {
    for (const InputOrigin& origin : more) {
      if (to.size() < most_origins && std::ranges::find(to, origin) == to.end()) to.push_back(origin);
    }
  }

  /// What is known of a node's outputs.
  static TracedValue result_of(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs) {
    TracedValue result;
    const std::string& op = node.op_type();
    if (!inputs.empty() && inputs[0] != nullptr) {
      result.shape = shape_behind(node, inputs);
      if (passes_on(op, 0)) result.table = inputs[0]->table;
      const bool stays_one =
          op == "Cast" || op == "Identity" || op == "Reshape" || op == "Unsqueeze" || op == "Squeeze";
      if (stays_one) result.number = inputs[0]->number;
      if (op == "DequantizeLinear") result.table = inputs[0]->table;
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == nullptr) continue;
      for (InputOrigin origin : inputs[i]->origins) {
        if (!carry(origin, node, inputs, i)) continue;
        add_origins(result.origins, {&origin, 1});
      }
    }
    return result;
  }

  /// Does the node's result still tell something of what came in at slot `slot`?
  static bool carry(InputOrigin& origin, const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs,
                    std::size_t slot) {
    const std::string& op = node.op_type();
    if (passes_on(op, static_cast<int>(slot))) {
      if (op == "Concat" && inputs.size() > 1) origin.is_whole = false;
      return true;
    }
    if (inputs.size() == 2 && (op == "Add" || (op == "Sub" && slot == 0))) {
      const TracedValue* other = inputs[1 - slot];
      if (other == nullptr || !other->number || std::abs(*other->number) > 1e9) return false;
      const auto moved = static_cast<std::int64_t>(*other->number);
      origin.offset += op == "Add" ? moved : -moved;
      return true;
    }
    origin.is_derived = true;
    return keeps_zeros_apart(op);
  }

  void note_uses(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      if (inputs[i] == nullptr || inputs[i]->origins.empty()) continue;
      if (const SlotUse* use = use_of_slot(node, static_cast<int>(i), opset_)) note(node, *use, inputs, i);
      note_mask(node, inputs, i);
      note_comparison(node, inputs, i);
    }
  }

  void note(const onnx::NodeProto& node, const SlotUse& slot_use, const std::vector<const TracedValue*>& inputs,
            std::size_t slot) {
    Use use{slot_use.kind};
    use.op = node.op_type();
    if (node.output_size() > 0) use.result = node.output(0);
    const auto data = static_cast<std::size_t>(slot_use.data);
    const bool is_bounded = slot_use.bound != BoundBy::nothing;
    if (is_bounded && data < inputs.size()) use.data = node.input(slot_use.data);
    if (slot_use.bound == BoundBy::axis) use.axis = integer_of(node, slot_use.attribute, slot_use.axis);
    if (is_bounded && data < inputs.size() && inputs[data] != nullptr) {
      use.of = inputs[data]->table;
      bound(use, slot_use, node, *inputs[data]);
      if (slot_use.bound == BoundBy::all_axes) bound_by_tuple(use, node, inputs[slot]->shape);
    }
    add(use, inputs[slot]->origins, use.kind == UseKind::mask);
  }

  static void bound(Use& use, const SlotUse& slot_use, const onnx::NodeProto& node, const TracedValue& data) {
    if (slot_use.bound == BoundBy::value && data.number) use.limit.value = static_cast<std::int64_t>(*data.number);
    if (!data.shape) return;
    use.shape = *data.shape;
    const auto rank = static_cast<std::int64_t>(data.shape->size());
    if (slot_use.bound == BoundBy::rank) use.limit.value = rank;
    if (slot_use.bound == BoundBy::axis) {
      const std::int64_t axis = integer_of(node, slot_use.attribute, slot_use.axis);
      const std::int64_t counted = axis < 0 ? axis + rank : axis;
      if (counted >= 0 && counted < rank) use.limit = (*data.shape)[static_cast<std::size_t>(counted)];
    }
    if (slot_use.bound != BoundBy::all_axes) return;
    for (const Dim& dim : *data.shape) {
      if (dim.value && (!use.limit.value || *dim.value < *use.limit.value)) use.limit = dim;
    }
  }

  /// Bounds an index of GatherND and its like: tuples of one number count along one axis.
  static void bound_by_tuple(Use& use, const onnx::NodeProto& node, const std::optional<std::vector<Dim>>& tuples) {
    const auto axis = integer_of(node, "batch_dims", 0);
    const bool is_one = tuples && !tuples->empty() && tuples->back().value == 1;
    if (!is_one || axis < 0 || static_cast<std::size_t>(axis) >= use.shape.size()) return;
    use.limit = use.shape[static_cast<std::size_t>(axis)];
    use.axis = axis;
  }

  /// Notes the mask of Where(mask, x, -inf), and of (1 - mask) * -10000.
  void note_mask(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs, std::size_t slot) {
    const auto is_far_out = [&](std::size_t other) {
      return other < inputs.size() && inputs[other] != nullptr && inputs[other]->number.value_or(0) <= -masks_out;
    };
    const std::string& op = node.op_type();
    const bool chooses = op == "Where" && slot == 0 && (is_far_out(1) || is_far_out(2));
    const bool weighs = op == "Mul" && inputs.size() == 2 && is_far_out(1 - slot);
    if (!chooses && !weighs) return;
    Use use{UseKind::mask};
    use.op = op;
    add(use, inputs[slot]->origins, true);
  }

  void note_comparison(const onnx::NodeProto& node, const std::vector<const TracedValue*>& inputs, std::size_t slot) {
    if (node.op_type() != "Equal" || inputs.size() != 2 || inputs[1 - slot] == nullptr) return;
    const TracedValue& other = *inputs[1 - slot];
    Use use{other.number ? UseKind::compared_to_one : UseKind::compared_to_many};
    use.op = "Equal";
    if (other.number) {
      use.low = use.high = *other.number;
    } else if (!read_range(use, other)) {
      return;
    }
    add(use, inputs[slot]->origins, false);
  }

  static bool read_range(Use& use, const TracedValue& other) {
    if (other.tensor == nullptr) return false;
    const auto tensor = from_proto(*other.tensor);
    if (!tensor || tensor->dtype() == DType::string || tensor->count() < 1 || tensor->count() > most_compared)
      return false;
    use.low = use.high = tensor->number(0);
    for (std::int64_t i = 1; i < tensor->count(); ++i) {
      use.low = std::min(use.low, tensor->number(i));
      use.high = std::max(use.high, tensor->number(i));
    }
    return std::isfinite(use.low) && std::isfinite(use.high);
  }

  void add(const Use& use, std::span<const InputOrigin> origins, bool also_derived) {
    for (const InputOrigin& origin : origins) {
      if (origin.is_derived && !also_derived) continue;
      std::vector<Use>& uses = uses_[origin.input];
      constexpr std::size_t most_uses = 256;  // more of the same say no more
      if (uses.size() == most_uses) continue;
      uses.push_back(use);
      uses.back().offset = origin.offset;
      uses.back().is_whole = origin.is_whole;
    }
  }

  const onnx::ModelProto& model_;
  std::unordered_map<std::string, const onnx::FunctionProto*> functions_;
  std::int64_t opset_;
  std::int64_t visits_ = 0;
  std::map<std::string, std::vector<Use>> uses_;
  std::map<std::string, std::int64_t> sizes_;
};

}  // namespace

std::map<std::string, std::vector<Use>> uses_of_inputs(const onnx::ModelProto& model) {
  Tracer tracer(model);
  tracer.trace();
  return std::move(tracer.uses());
}

std::map<std::string, std::int64_t> sizes_needed(const onnx::ModelProto& model) {
  Tracer tracer(model);
  tracer.trace();
  return std::move(tracer.sizes());
}

}  // namespace culprit
