#include "model/perturb_weights.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/graph_walk.h"
#include "model/perturb_results.h"
#include "model/rounding_ops.h"
#include "model/summed_operands.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

constexpr int everything = -1;

/// Op type -> positions of the inputs that steer.
const std::map<std::string_view, std::set<int>>& steering_inputs() {
  static const std::map<std::string_view, std::set<int>> table{
      {"Pow", {1}},
      {"Resize", {1, 2, 3}},
      {"Upsample", {1}},
      {"Clip", {1, 2}},
      {"QuantizeLinear", {1, 2}},
      {"DequantizeLinear", {1, 2}},
      {"NonMaxSuppression", {2, 3, 4}},
      {"Range", {everything}},
      {"Dropout", {1}},
      {"RoiAlign", {1}},
      {"MaxRoiPool", {1}},
      {"CropAndResize", {1, 3}},
      {"OneHot", {1, 2}},
      {"Pad", {2}},
      {"Mod", {everything}},
      {"Floor", {everything}},
      {"Ceil", {everything}},
      {"Unique", {everything}},
      {"Equal", {everything}},
      {"Greater", {everything}},
      {"GreaterOrEqual", {everything}},
      {"Less", {everything}},
      {"LessOrEqual", {everything}},
  };
  return table;
}

bool steers(const onnx::NodeProto& node, int position) {
  // The float inputs of these, in any domain, are scales.
  if (node.op_type().starts_with("QLinear") || node.op_type() == "QGemm") return true;
  if (casts_to_exact(node)) return true;
  const auto found = steering_inputs().find(node.op_type());
  return found != steering_inputs().end() && (found->second.contains(position) || found->second.contains(everything));
}

/// What comes out of these is what went in, some of it or in another type.
bool hands_on(const onnx::NodeProto& node, int) {
  return only_moves(node.op_type()) || node.op_type() == "Cast" || node.op_type() == "Dropout";
}

/// What may move: a tensor, or the list of floats of a Constant node.
struct Weight {
  const std::string& name;  ///< of the value
  const onnx::TensorProto* tensor = nullptr;
  const onnx::AttributeProto* floats = nullptr;
};

std::span<const std::byte> bytes_of(const onnx::AttributeProto& floats) {
  return std::as_bytes(std::span(floats.floats().data(), static_cast<std::size_t>(floats.floats_size())));
}

/// The weights that a node holds itself: a Constant's value, the coefficients of a linear model.
template <class Visit>
void for_each_in_node(const onnx::NodeProto& node, const Visit& visit) {
  if (node.output_size() == 0) return;
  const bool is_constant = node.op_type() == "Constant";
  const bool is_linear = node.op_type().starts_with("Linear") || node.op_type().starts_with("SVM");
  for (const auto& attribute : node.attribute()) {
    if (is_constant && attribute.has_t() && moves_in_place(attribute.t()))
      visit(Weight{node.output(0), &attribute.t(), nullptr});
    const bool has_floats =
        (is_constant && attribute.name() == "value_floats") || (is_linear && attribute.name() == "coefficients");
    if (has_floats && attribute.floats_size() > 1 && !is_on_a_grid(DType::f32, bytes_of(attribute)))
      visit(Weight{node.output(0), nullptr, &attribute});
  }
}

template <class Visit>
void for_each_in_graph(const onnx::GraphProto& outermost, const Visit& visit) {
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) {
      if (moves_in_place(tensor)) visit(Weight{tensor.name(), &tensor, nullptr});
    }
    for (const auto& node : graph.node()) for_each_in_node(node, visit);
  });
}

template <class Visit>
void for_each_weight(const onnx::ModelProto& model, const Visit& visit) {
  const std::set<std::string> steering = steering_values(model), casted = casted_weights(model);
  const auto unless_steering = [&](const Weight& weight) {
    if (steering.contains(weight.name) || casted.contains(weight.name)) return;
    visit(weight);
  };
  for_each_in_graph(model.graph(), unless_steering);
  for (const auto& function : model.functions()) {
    for (const auto& node : function.node()) {
      for_each_in_node(node, unless_steering);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) for_each_in_graph(attribute.g(), unless_steering);
        for (const auto& inner : attribute.graphs()) for_each_in_graph(inner, unless_steering);
      }
    }
  }
}

/// By name: how the sums that weights go into move them (docs/judging.md). Of several the first.
std::map<std::string, RoundingMoves> sums_of_weights(const onnx::ModelProto& model) {
  std::map<std::string, RoundingMoves> sums;
  const auto add = [&](const auto& nodes) {
    for (const auto& node : nodes) {
      for (int i = 0; i < node.input_size(); ++i) {
        const auto how = how_summed(node, i, [](const std::string&) { return std::nullopt; });
        if (how) sums.emplace(node.input(i), *how);
      }
    }
  };
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) { add(graph.node()); });
  for (const auto& function : model.functions()) add(function.node());
  return sums;
}

bool move(onnx::TensorProto& proto, Random& random, const RoundingMoves& rounding) {
  const auto tensor = from_proto(proto);
  if (!tensor) return false;
  onnx::TensorProto moved = to_proto(perturbed(*tensor, random, rounding), proto.name());
  proto.Swap(&moved);
  return true;
}

void move(onnx::AttributeProto& attribute, Random& random, const RoundingMoves& rounding) {
  auto& floats = *attribute.mutable_floats();
  const auto bytes = std::as_writable_bytes(std::span(floats.mutable_data(), static_cast<std::size_t>(floats.size())));
  imitate_rounding(DType::f32, {floats.size()}, bytes, random, rounding);
}

}  // namespace

std::set<std::string> steering_values(const onnx::ModelProto& model) {
  std::set<std::string> names;
  collect_leading(model.graph().node(), steers, hands_on, names);
  for (const auto& function : model.functions()) collect_leading(function.node(), steers, hands_on, names);
  return names;
}

std::int64_t movable_weights(const onnx::ModelProto& model) {
  std::int64_t count = 0;
  for_each_weight(model, [&](const Weight&) { ++count; });
  return count;
}

std::int64_t perturb_weights(onnx::ModelProto& model, std::uint64_t seed, unsigned ulps) {
  std::int64_t moved = 0;
  auto sums = sums_of_weights(model);
  for_each_weight(model, [&](const Weight& weight) {
    Random random(seed, weight.name);
    RoundingMoves& rounding = sums[weight.name];
    rounding.ulps = ulps;
    // The walk is over `model`, which is ours to change; it hands out const because most of its callers only look.
    if (weight.tensor != nullptr) {
      moved += move(const_cast<onnx::TensorProto&>(*weight.tensor), random, rounding) ? 1 : 0;
    } else {
      move(const_cast<onnx::AttributeProto&>(*weight.floats), random, rounding);
      ++moved;
    }
  });
  return moved;
}

}  // namespace culprit
