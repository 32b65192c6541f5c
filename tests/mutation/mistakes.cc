#include "mutation/mistakes.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/random.h"
#include "model/traced_value.h"
#include "tensor/tensor_proto.h"

namespace culprit::testing {
namespace {

using onnx::AttributeProto;
using onnx::NodeProto;

AttributeProto& attribute_to_change(NodeProto& node, const std::string& name, AttributeProto::AttributeType type) {
  for (AttributeProto& known : *node.mutable_attribute()) {
    if (known.name() == name) return known;
  }
  AttributeProto& made = *node.add_attribute();
  made.set_name(name);
  made.set_type(type);
  return made;
}

bool is_one_of(const NodeProto& node, std::initializer_list<const char*> types) {
  return std::ranges::any_of(types, [&](const char* type) { return node.op_type() == type; });
}

// A Softmax or Concat over another axis, a Transpose with its last two axes the other way round. A Softmax over axis 1
// or 0 is left alone: where the batch is 1, old opsets do the same for both.

bool has_axis(const NodeProto& node) {
  const AttributeProto* axis = attribute_of(node, "axis");
  if (is_one_of(node, {"Softmax", "LogSoftmax"})) return axis != nullptr && axis->i() != 0 && axis->i() != 1;
  if (node.op_type() == "Concat") return axis != nullptr && node.input_size() > 1;
  const AttributeProto* perm = attribute_of(node, "perm");
  return node.op_type() == "Transpose" && perm != nullptr && perm->ints_size() >= 2;
}

void take_wrong_axis(NodeProto& node, std::vector<NodeProto>& /*before*/) {
  if (node.op_type() == "Transpose") {
    auto& perm = *attribute_to_change(node, "perm", AttributeProto::INTS).mutable_ints();
    std::swap(perm[perm.size() - 2], perm[perm.size() - 1]);
    return;
  }
  AttributeProto& axis = attribute_to_change(node, "axis", AttributeProto::INT);
  axis.set_i(axis.i() == 1 ? 2 : 1);
}

bool has_bias(const NodeProto& node) {
  return is_one_of(node, {"Conv", "ConvTranspose", "Gemm"}) && node.input_size() == 3 && !node.input(2).empty();
}

/// A bias of zeros is rightly dropped.
bool is_zero(const std::string& name, const onnx::GraphProto& graph) {
  const auto stored = std::ranges::find(graph.initializer(), name, &onnx::TensorProto::name);
  if (stored == graph.initializer().end()) return false;
  const auto tensor = from_proto(*stored);
  if (!tensor) return false;
  for (std::int64_t i = 0; i < tensor->count(); ++i) {
    if (tensor->number(i) != 0) return false;
  }
  return true;
}

void drop_bias(NodeProto& node, std::vector<NodeProto>& /*before*/) { node.mutable_input()->RemoveLast(); }

bool has_order(const NodeProto& node) {
  return is_one_of(node, {"Sub", "Div", "Concat", "Pow"}) && node.input_size() >= 2 && node.input(0) != node.input(1);
}

void swap_inputs(NodeProto& node, std::vector<NodeProto>& /*before*/) { node.mutable_input()->SwapElements(0, 1); }

// The first axis' window moves by one: its size, and so every shape, stays.

bool has_pads(const NodeProto& node) {
  const AttributeProto* pads = attribute_of(node, "pads");
  if (!is_one_of(node, {"Conv", "MaxPool", "AveragePool"}) || pads == nullptr) return false;
  const int half = pads->ints_size() / 2;
  return half > 0 && (pads->ints(0) > 0 || pads->ints(half) > 0);
}

void shift_pads(NodeProto& node, std::vector<NodeProto>& /*before*/) {
  auto& pads = *attribute_to_change(node, "pads", AttributeProto::INTS).mutable_ints();
  const int half = pads.size() / 2;
  const bool at_end = pads[half] > 0;
  ++pads[at_end ? 0 : half];
  --pads[at_end ? half : 0];
}

// An epsilon that became 0 is no fault that anybody could see where variances are near 1: five units in the sixth
// place. So it loses its exponent.

bool has_epsilon(const NodeProto& node) {
  return is_one_of(node, {"BatchNormalization", "InstanceNormalization", "LayerNormalization"});
}

void lose_epsilon(NodeProto& node, std::vector<NodeProto>& /*before*/) {
  attribute_to_change(node, "epsilon", AttributeProto::FLOAT).set_f(1);
}

bool has_kernel(const NodeProto& node) {
  const AttributeProto* kernel = attribute_of(node, "kernel_shape");
  return node.op_type() == "Conv" && kernel != nullptr && kernel->ints_size() == 2 &&
         kernel->ints(0) == kernel->ints(1) && kernel->ints(0) > 1;
}

void transpose_weight(NodeProto& node, std::vector<NodeProto>& before) {
  NodeProto& transpose = before.emplace_back();
  transpose.set_op_type("Transpose");
  transpose.add_input(node.input(1));
  transpose.add_output(node.output(0) + "_weight");
  auto& perm = *attribute_to_change(transpose, "perm", AttributeProto::INTS).mutable_ints();
  for (const int axis : {0, 1, 3, 2}) perm.Add(axis);
  node.set_input(1, transpose.output(0));
}

void pass_through_identity(NodeProto& node, std::vector<NodeProto>& before) {
  NodeProto& identity = before.emplace_back();
  identity.set_op_type("Identity");
  identity.add_input(node.input(0));
  identity.add_output(node.output(0) + "_input");
  node.set_input(0, identity.output(0));
}

}  // namespace

const std::vector<Mistake>& mistakes() {
  static const std::vector<Mistake> all{
      {"wrong_axis", has_axis, take_wrong_axis},   {"dropped_bias", has_bias, drop_bias},
      {"swapped_inputs", has_order, swap_inputs},  {"off_by_one_pad", has_pads, shift_pads},
      {"epsilon_lost", has_epsilon, lose_epsilon}, {"transposed_weight", has_kernel, transpose_weight}};
  return all;
}

const Mistake* mistake_of(const std::string& kind) {
  const auto found = std::ranges::find(mistakes(), kind, &Mistake::kind);
  return found == mistakes().end() ? nullptr : &*found;
}

std::vector<int> places_of(const Mistake& mistake, const onnx::GraphProto& graph) {
  std::vector<int> places;
  for (int i = 0; i < graph.node_size(); ++i) {
    const NodeProto& node = graph.node(i);
    const bool is_no_mistake = mistake.kind == "dropped_bias" && mistake.fits(node) && is_zero(node.input(2), graph);
    if (mistake.fits(node) && !is_no_mistake) places.push_back(i);
  }
  return places;
}

std::size_t chosen_place(const std::string& kind, std::uint64_t seed, std::size_t places) {
  return static_cast<std::size_t>(Random(seed, kind).between(0, static_cast<std::int64_t>(places) - 1));
}

std::vector<NodeProto> rewritten(const Mistake& mistake, NodeProto node, Rewritten how) {
  std::vector<NodeProto> nodes;
  if (how == Rewritten::wrongly) mistake.make(node, nodes);
  pass_through_identity(node, nodes);
  nodes.push_back(std::move(node));
  return nodes;
}

}  // namespace culprit::testing
