#include "baseline/directed/wishes_of_passes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr std::size_t most_wants = 32;

/// Their predicates ask for the operator alone; what they then remove gives back its input, whatever that is.
bool removes_what_does_nothing(std::string_view pass) {
  return pass.starts_with("eliminate_nop_") && pass != "eliminate_nop_monotone_argmax";
}

class Directions {
 public:
  explicit Directions(const onnx::ModelProto& model) : opset_(opset_of(model)) {
    for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
      for (const auto& initializer : graph.initializer()) constants_.emplace(initializer.name(), &initializer);
      for (const auto& node : graph.node()) {
        for (const std::string& output : node.output()) makers_.emplace(output, &node);
      }
      if (&graph == &model.graph()) return;
      for (const auto& node : graph.node()) in_bodies_.insert(&node);
    });
  }

  void look_at(const Place& place) {
    const onnx::NodeProto* node = maker(place.output);
    if (node == nullptr || node->op_type() != place.op_type || !domain_of(node->domain()).empty()) return;
    pass_ = place.pass;
    inside_ = in_bodies_.contains(node) ? place.output : "";
    look_at(*node);
  }

  std::vector<Want> wants;

 private:
  [[nodiscard]] const onnx::NodeProto* maker(const std::string& value) const {
    const auto at = makers_.find(value);
    return at == makers_.end() || value.empty() ? nullptr : at->second;
  }

  [[nodiscard]] const onnx::NodeProto* maker(const onnx::NodeProto& node,
                                             std::initializer_list<std::string_view> ops) const {
    const auto* before = node.input_size() == 0 ? nullptr : maker(node.input(0));
    return before != nullptr && is_one_of(before->op_type(), ops) ? before : nullptr;
  }

  [[nodiscard]] bool is_constant(const std::string& value) const {
    const auto* before = maker(value);
    return constants_.contains(value) || (before != nullptr && before->op_type() == "Constant");
  }

  /// Is it a constant of nothing but this number?
  [[nodiscard]] bool is_all(const std::string& value, double number) const {
    const auto* before = maker(value);
    const auto* own = before != nullptr && before->op_type() == "Constant" ? attribute_of(*before, "value") : nullptr;
    const auto at = constants_.find(value);
    const auto tensor = at != constants_.end() ? from_proto(*at->second)
                        : own != nullptr       ? from_proto(own->t())
                                               : Tensor();
    if (!tensor || tensor->count() == 0) return false;
    for (std::int64_t i = 0; i < tensor->count(); ++i) {
      if (tensor->number(i) != number) return false;
    }
    return true;
  }

  void want(const onnx::NodeProto& node, Wish wish, const WishDetails& details = {}) {
    for (const std::string& value : node.input()) {  // the first that is no constant
      if (value.empty() || is_constant(value)) continue;
      const auto same = [&](const Want& other) {
        return other.value == value && other.wish == wish && other.inside.empty() == inside_.empty();
      };
      if (wants.size() < most_wants && std::ranges::none_of(wants, same))
        wants.push_back({pass_, value, wish, details, inside_});
      return;
    }
  }

  void look_at(const onnx::NodeProto& node) {
    const std::string& op = node.op_type();
    if (pass_ == "eliminate_nop_with_unit") return look_at_unit(node);
    if (removes_what_does_nothing(pass_)) return;
    if (is_one_of(op, {"MaxPool", "AveragePool", "LpPool", "GlobalMaxPool", "Pad"})) return look_at_pool(node);
    if (is_one_of(op, {"Conv", "ConvTranspose", "BatchNormalization", "Gemm", "MatMul", "InstanceNormalization"})) {
      return look_at_sum(node);
    }
    if (const auto* sum = maker(node, {"Conv", "ConvTranspose", "Gemm", "MatMul"}); sum && op == "Add") {
      return look_at_sum(*sum);
    }
    if (is_one_of(op, {"ArgMax", "ArgMin", "Softmax", "LogSoftmax", "Hardmax", "TopK", "Log", "Exp", "Sqrt"})) {
      return look_at_rows(node);
    }
    if (is_one_of(op, {"Clip", "Relu", "HardSigmoid", "LeakyRelu", "Sign", "Ceil", "Floor", "Round", "Abs"})) {
      return want(node, Wish::limits, limits_of(node));
    }
    if (op == "Cast") return want(node, Wish::fractions);
    if (is_one_of(op, {"Where", "Not", "And", "Or", "Xor", "If"})) return want(node, Wish::both_truths);
    if (is_one_of(op, {"Reshape", "Slice", "Gather", "Transpose", "Squeeze", "Unsqueeze", "Concat", "Split", "Flatten",
                       "Expand", "Einsum"})) {
      return want(node, Wish::distinct);
    }
  }

  /// The predicate holds for nearly every node: only these can have a unit.
  void look_at_unit(const onnx::NodeProto& node) {
    const bool is_zero = is_one_of(node.op_type(), {"Add", "Sub", "Or"});
    if (!is_zero && !is_one_of(node.op_type(), {"Mul", "Div", "Pow", "And"})) return;
    if (std::ranges::none_of(node.input(), [&](const auto& value) { return is_all(value, is_zero ? 0 : 1); })) return;
    if (is_one_of(node.op_type(), {"And", "Or"})) return want(node, Wish::both_truths);
    want(node, Wish::signed_zeros);
    want(node, Wish::not_finite);
  }

  /// A pad that goes into a pool is wrong where the window holds nothing above the pad's value.
  void look_at_pool(const onnx::NodeProto& node) {
    const auto* pad = node.op_type() == "Pad" ? &node : maker(node, {"Pad"});
    want(pad == nullptr ? node : *pad, Wish::negative_border);
  }

  void look_at_sum(const onnx::NodeProto& node) {
    if (const auto* pad = maker(node, {"Pad"})) want(*pad, Wish::large_border);
    const auto* sum = maker(node, {"Conv", "ConvTranspose"});
    want(sum == nullptr ? node : *sum, Wish::large);
  }

  void look_at_rows(const onnx::NodeProto& node) {
    const auto* before = maker(node, {"Softmax", "LogSoftmax", "Log", "Exp", "Sqrt", "Sigmoid"});
    const WishDetails own{axis_of(node)};
    if (before != nullptr) {
      const bool has_rows = is_one_of(before->op_type(), {"Softmax", "LogSoftmax"});
      want(*before, Wish::extreme, has_rows ? WishDetails{axis_of(*before)} : own);
    }
    want(node, before == nullptr ? Wish::extreme : Wish::ties, own);
    if (before == nullptr) want(node, Wish::ties, own);
  }

  [[nodiscard]] std::int64_t axis_of(const onnx::NodeProto& node) const {
    constexpr std::int64_t softmax_by_the_last = 13;  // the opset
    if (const auto* axis = attribute_of(node, "axis")) return axis->i();
    if (is_one_of(node.op_type(), {"ArgMax", "ArgMin"})) return 0;
    const bool is_softmax = is_one_of(node.op_type(), {"Softmax", "LogSoftmax", "Hardmax"});
    return is_softmax && opset_ < softmax_by_the_last ? 1 : -1;
  }

  [[nodiscard]] WishDetails limits_of(const onnx::NodeProto& node) const {
    WishDetails details;
    if (node.op_type() != "Clip") return details;
    if (const auto low = limit(node, "min", 1)) details.low = *low;
    if (const auto high = limit(node, "max", 2)) details.high = *high;
    return details;
  }

  [[nodiscard]] std::optional<double> limit(const onnx::NodeProto& node, std::string_view name, int place) const {
    if (const auto* found = attribute_of(node, name)) return found->f();
    const auto at = place < node.input_size() ? constants_.find(node.input(place)) : constants_.end();
    if (at == constants_.end()) return std::nullopt;
    const auto tensor = from_proto(*at->second);
    return tensor && tensor->count() == 1 ? std::optional(tensor->number(0)) : std::nullopt;
  }

  std::int64_t opset_;
  std::string pass_;
  std::string inside_;
  std::unordered_set<const onnx::NodeProto*> in_bodies_;
  std::unordered_map<std::string, const onnx::NodeProto*> makers_;
  std::unordered_map<std::string, const onnx::TensorProto*> constants_;
};

bool hands_on_by_the_book(const onnx::NodeProto& node) {
  constexpr std::array<std::string_view, 30> ops = {
      "Identity", "Transpose", "Reshape", "Squeeze", "Unsqueeze", "Flatten", "Slice", "Concat", "Pad",   "Neg",
      "Add",      "Sub",       "Mul",     "Div",     "Pow",       "Abs",     "Exp",   "Log",    "Sqrt",  "Reciprocal",
      "Sign",     "IsNaN",     "IsInf",   "Where",   "Not",       "And",     "Or",    "Gather", "Split", "Dropout"};
  return domain_of(node.domain()).empty() && std::ranges::find(ops, node.op_type()) != ops.end();
}

}  // namespace

std::vector<Want> wants_of(std::span<const Place> places, const onnx::ModelProto& model) {
  Directions directions(model);
  for (const Place& place : places) directions.look_at(place);
  return std::move(directions.wants);
}

std::set<std::string> inputs_for_not_finite(const onnx::GraphProto& graph) {
  // Backwards: what reaches a node that may not have it, may not have it either.
  std::unordered_set<std::string> spared;
  for (auto node = graph.node().rbegin(); node != graph.node().rend(); ++node) {
    const bool is_spared =
        !hands_on_by_the_book(*node) ||
        std::ranges::any_of(node->output(), [&](const std::string& output) { return spared.contains(output); });
    if (is_spared) spared.insert(node->input().begin(), node->input().end());
    for (const auto& attribute : node->attribute()) {
      if (!attribute.has_g()) continue;  // what a subgraph captures
      for_each_graph(attribute.g(), [&](const onnx::GraphProto& inner) {
        for (const auto& deep : inner.node()) spared.insert(deep.input().begin(), deep.input().end());
      });
    }
  }
  std::set<std::string> inputs;
  for (const auto& input : graph.input()) {
    if (!spared.contains(input.name())) inputs.insert(input.name());
  }
  return inputs;
}

}  // namespace culprit
