#include "model/perturb_results.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/graph_walk.h"
#include "model/rounding_ops.h"
#include "model/summed_operands.h"
#include "tensor/imitate_rounding.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using Nodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

bool may_be_float(std::int32_t type) {
  return type == onnx::TensorProto::UNDEFINED || is_float(dtype_from_onnx(type).value_or(DType::f32));
}

template <class Visit>
void for_each_subgraph(onnx::NodeProto& node, const Visit& visit) {
  for (auto& attribute : *node.mutable_attribute()) {
    if (attribute.has_g()) visit(*attribute.mutable_g());
    for (auto& inner : *attribute.mutable_graphs()) visit(inner);
  }
}

onnx::AttributeProto& add_attribute(onnx::NodeProto& node, const char* name, onnx::AttributeProto::AttributeType type) {
  auto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(type);
  return attribute;
}

void add_integer(onnx::NodeProto& node, const char* name, std::int64_t value) {
  add_attribute(node, name, onnx::AttributeProto::INT).set_i(value);
}

constexpr std::size_t small_weight = 4096;  // bytes
constexpr std::int64_t no_axis = -100;      // the runtime has no empty lists

/// What is known of a model's values while it is gone through. Names are not told apart by scope.
struct KnownValues {
  std::set<std::string> data;                                 // follow from inputs, and not from their shapes alone
  std::set<std::string> whole;                                // are whole numbers
  std::set<std::string> given;                                // inputs, moved about at most
  std::set<std::string> moved;                                // weights that move by themselves, moved about at most
  std::map<std::string, std::vector<std::int64_t>> integers;  // small constants

  void add(const std::string& name, const onnx::TensorProto& tensor) {
    if (is_whole(tensor)) whole.insert(name);
    if (moves_in_place(tensor)) moved.insert(name);
    if (tensor.data_type() != onnx::TensorProto::INT64 || tensor.ByteSizeLong() > small_weight) return;
    const auto elements = from_proto(tensor);
    if (!elements) return;
    const auto numbers = elements->as<std::int64_t>();
    integers.emplace(name, std::vector<std::int64_t>(numbers.begin(), numbers.end()));
  }

  [[nodiscard]] std::optional<std::vector<std::int64_t>> integers_of(const std::string& name) const {
    const auto at = integers.find(name);
    return at == integers.end() ? std::nullopt : std::optional(at->second);
  }

 private:
  static bool is_whole(const onnx::TensorProto& tensor) {
    return !may_be_float(tensor.data_type()) && tensor.data_type() != onnx::TensorProto::STRING;
  }
};

/// Goes through a model and puts nodes in, or only counts them.
class Results {
 public:
  Results(std::uint64_t seed, unsigned ulps) : seed_(seed), ulps_(ulps) {}

  std::int64_t perturb(onnx::ModelProto& model) {
    perturb(*model.mutable_graph(), true);
    for (auto& function : *model.mutable_functions()) {
      for (const std::string& input : function.input()) known_.data.insert(input);
      const std::int64_t before = count_;
      perturb(*function.mutable_node());
      if (count_ > before) add_domain(*function.mutable_opset_import());
    }
    if (count_ > 0) add_domain(*model.mutable_opset_import());
    return count_;
  }

 private:
  static void add_domain(google::protobuf::RepeatedPtrField<onnx::OperatorSetIdProto>& imports) {
    auto& import = *imports.Add();
    import.set_domain("culprit");
    import.set_version(1);
  }

  void perturb(onnx::GraphProto& graph, bool is_main) {
    std::set<std::string> weights;
    for (const auto& tensor : graph.initializer()) {
      weights.insert(tensor.name());
      known_.add(tensor.name(), tensor);
    }
    for (const auto& input : graph.input()) {
      if (!may_be_float(input.type().tensor_type().elem_type())) known_.whole.insert(input.name());
      if (is_main && weights.contains(input.name())) continue;
      known_.data.insert(input.name());
      if (is_main) known_.given.insert(input.name());
    }
    perturb(*graph.mutable_node());
  }

  void perturb(Nodes& nodes) {
    Nodes made;
    for (auto& node : nodes) {
      for_each_subgraph(node, [&](onnx::GraphProto& inner) { perturb(inner, false); });
      const bool is_data = is_of_data(node), is_whole = is_whole_number(node);
      learn(node, is_data, is_whole);
      Nodes behind;
      if (is_data && !is_whole) put_before(node, made);
      if (!is_whole && (is_data ? computes(node) : casts_to_float(node))) put_behind(node, behind);
      *made.Add() = std::move(node);
      for (auto& rounding : behind) *made.Add() = std::move(rounding);
    }
    nodes.Swap(&made);
  }

  void learn(const onnx::NodeProto& node, bool is_data, bool is_whole) {
    const bool hands_on = only_moves(node.op_type()) && node.input_size() > 0;
    const bool is_given = hands_on && known_.given.contains(node.input(0));
    const bool is_moved = hands_on && known_.moved.contains(node.input(0));
    for (const std::string& output : node.output()) {
      if (is_data) known_.data.insert(output);
      if (is_whole) known_.whole.insert(output);
      if (is_given) known_.given.insert(output);
      if (is_moved || (!is_data && casts_to_float(node))) known_.moved.insert(output);
    }
    if (node.op_type() != "Constant" || node.output_size() == 0) return;
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_t()) known_.add(node.output(0), attribute.t());
    }
  }

  [[nodiscard]] bool is_of_data(const onnx::NodeProto& node) const {
    if (asks_for_shapes(node.op_type())) return false;
    return has_graph(node) ||
           std::ranges::any_of(node.input(), [&](const std::string& input) { return known_.data.contains(input); });
  }

  /// Sums and products of whole numbers are exact, and so are those of an int or a bool that was cast. Of floats the
  /// values tell (is_on_a_grid).
  [[nodiscard]] bool is_whole_number(const onnx::NodeProto& node) const {
    const std::string_view op = node.op_type();
    if (gives_whole_numbers(op)) return true;
    const bool passes_on = only_moves(op) || passes_whole_numbers_on(op) || op == "Cast";
    return passes_on && std::ranges::all_of(node.input(), [&](const std::string& input) {
             return input.empty() || known_.whole.contains(input);
           });
  }

  /// A sum whose terms move by themselves needs nothing; of others the edge into it moves, and nobody else sees that.
  void put_before(onnx::NodeProto& node, Nodes& made) {
    if (is_recurrent(node.op_type())) return put_inside(node, made);
    const bool is_of_two = is_product(node.op_type());
    const int operands = std::min(node.input_size(), is_of_two ? 2 : node.input_size());
    for (int i = 0; is_of_two && i < operands; ++i) {
      if (known_.moved.contains(node.input(i))) return;
    }
    const bool has_known_axes = is_of_two && operands == 2 && how_of(node, 1).has_value();
    for (int i = 0; i < operands; ++i) {
      if (node.input(i).empty() || !is_summed(node, i)) continue;
      const auto how = has_known_axes && i == 0 && known_.data.contains(node.input(1)) ? std::nullopt : how_of(node, i);
      const bool is_data = known_.data.contains(node.input(i));
      if (!is_data || (!how && !known_.given.contains(node.input(i)))) continue;
      move_edge(node, i, how, true, made);
    }
  }

  void move_edge(onnx::NodeProto& node, int i, const std::optional<RoundingMoves>& how, bool may_be_exact,
                 Nodes& made) {
    onnx::NodeProto& rounding = *made.Add();
    RoundingMoves moves = how.value_or(RoundingMoves{});
    moves.may_be_exact = may_be_exact;
    fill(rounding, node.input(i), "culprit_term_" + std::to_string(count_++), moves);
    node.set_input(i, rounding.output(0));
  }

  /// A recurrent node rounds at every step, and nothing can be put in there. Its weights bring rounding in where they
  /// move. Where they do not, because they are round numbers, the sums inside round all the same, unless all in them
  /// is round: what it is fed may be, its state is not once it went through an activation.
  void put_inside(onnx::NodeProto& node, Nodes& made) {
    constexpr int fed = 0, weights = 1, of_state = 2;
    if (node.input_size() <= of_state) return;
    if (!known_.moved.contains(node.input(weights)) && known_.data.contains(node.input(fed)))
      move_edge(node, fed, how_of(node, fed), true, made);
    if (!known_.moved.contains(node.input(of_state)))
      move_edge(node, of_state, how_of(node, of_state), keeps_round_numbers(node), made);
  }

  static bool is_summed(const onnx::NodeProto& node, int i) {
    const std::string_view op = node.op_type();
    if (op.starts_with("Scatter")) return computes(node) && (i == 0 || i == 2);
    return is_product(op) || (is_sum(op) && (i == 0 || op == "Sum" || op == "Mean"));
  }

  [[nodiscard]] std::optional<RoundingMoves> how_of(const onnx::NodeProto& node, int i) const {
    return how_summed(node, i, [&](const std::string& name) { return known_.integers_of(name); });
  }

  void put_behind(onnx::NodeProto& node, Nodes& behind) {
    const std::string_view op = node.op_type();
    const int outputs = is_recurrent(op) ? node.output_size() : std::min(node.output_size(), 1);
    RoundingMoves moves;
    moves.may_be_exact = is_arithmetic(op);
    moves.least = op == "Sigmoid" ? least_of_a_sigmoid : 0;
    moves.is_transform = is_transform(op);
    for (int i = 0; i < outputs; ++i) {
      if (node.output(i).empty()) continue;
      const std::string name = node.output(i);
      node.set_output(i, "culprit_exact_" + std::to_string(count_++));
      fill(*behind.Add(), node.output(i), name, moves);
    }
  }

  void fill(onnx::NodeProto& rounding, const std::string& from, const std::string& to,
            const RoundingMoves& moves) const {
    rounding.set_domain("culprit");
    rounding.set_op_type("Rounding");
    rounding.add_input(from);
    rounding.add_output(to);
    add_integer(rounding, "seed", static_cast<std::int64_t>(Random(seed_, to).next()));
    add_integer(rounding, "ulps", ulps_);
    add_integer(rounding, "may_be_exact", moves.may_be_exact ? 1 : 0);
    add_integer(rounding, "is_transform", moves.is_transform ? 1 : 0);
    add_integer(rounding, "terms", moves.terms);
    add_attribute(rounding, "least", onnx::AttributeProto::FLOAT).set_f(static_cast<float>(moves.least));
    auto& axes = add_attribute(rounding, "summed_axes", onnx::AttributeProto::INTS);
    axes.add_ints(no_axis);
    for (const std::int64_t axis : moves.summed_axes) axes.add_ints(axis);
  }

  static constexpr double least_of_a_sigmoid = 0.5;  // eps: it is a quotient of polynomials, right to eps of 1

  std::uint64_t seed_;
  unsigned ulps_;
  KnownValues known_;
  std::int64_t count_ = 0;
};

/// Input `i` of a node that only moves elements holds them; the others say where to.
bool holds_elements(const onnx::NodeProto& node, int i) {
  return only_moves(node.op_type()) && (i == 0 || node.op_type() == "Concat");
}

std::set<std::string> weights_of(const onnx::ModelProto& model) {
  std::set<std::string> weights;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) weights.insert(tensor.name());
    for (const auto& node : graph.node()) {
      if (node.op_type() == "Constant" && node.output_size() == 1) weights.insert(node.output(0));
    }
  });
  return weights;
}

}  // namespace

bool moves_in_place(const onnx::TensorProto& tensor) {
  const auto type = dtype_from_onnx(tensor.data_type());
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  if (!type || !is_nudgeable(*type) || !count || *count < 2) return false;
  if (tensor.has_raw_data()) return !is_on_a_grid(*type, std::as_bytes(std::span(tensor.raw_data())));
  const auto elements = from_proto(tensor);
  return !elements || !is_on_a_grid(*type, elements->bytes());
}

std::int64_t perturb_results(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps) {
  return Results(seed, ulps).perturb(model);
}

std::int64_t perturbable_results(const onnx::ModelProto& model) {
  onnx::ModelProto copy;  // graphs without their large weights are small
  *copy.mutable_graph()->mutable_node() = model.graph().node();
  *copy.mutable_graph()->mutable_input() = model.graph().input();
  *copy.mutable_functions() = model.functions();
  for (const auto& tensor : model.graph().initializer()) {
    auto& weight = *copy.mutable_graph()->add_initializer();
    weight.set_name(tensor.name());
    if (tensor.ByteSizeLong() <= small_weight) {
      weight = tensor;
    } else {  // large ones are taken to move
      weight.set_data_type(onnx::TensorProto::FLOAT);
      weight.add_dims(2);
    }
  }
  return perturb_results(copy, 0, 1);
}

std::set<std::string> casted_weights(const onnx::ModelProto& model) {
  std::set<std::string> names;
  const auto is_cast = [](const onnx::NodeProto& node, int) { return casts_to_float(node); };
  collect_leading(model.graph().node(), is_cast, holds_elements, names);
  std::set<std::string> casted;
  for (const std::string& weight : weights_of(model)) {
    if (names.contains(weight)) casted.insert(weight);
  }
  return casted;
}

}  // namespace culprit
