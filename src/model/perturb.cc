#include "model/perturb.h"

#include <onnx/onnx_pb.h>

#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "model/perturb_results.h"
#include "model/rounding_ops.h"
#include "model/walk.h"
#include "tensor/nudge.h"
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

bool is_movable(const onnx::TensorProto& tensor) {
  const auto type = dtype_from_onnx(tensor.data_type());
  const auto count = element_count(Shape(tensor.dims().begin(), tensor.dims().end()));
  return type && is_nudgeable(*type) && count && *count > 1;
}

/// What may move: a tensor, or the list of floats of a Constant node.
struct Weight {
  const std::string& name;  ///< of the value
  const onnx::TensorProto* tensor = nullptr;
  const onnx::AttributeProto* floats = nullptr;
};

template <class Visit>
void for_each_in_constant(const onnx::NodeProto& node, const Visit& visit) {
  if (node.op_type() != "Constant" || node.output_size() != 1) return;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_t() && is_movable(attribute.t())) visit(Weight{node.output(0), &attribute.t(), nullptr});
    if (attribute.name() == "value_floats" && attribute.floats_size() > 1) {
      visit(Weight{node.output(0), nullptr, &attribute});
    }
  }
}

template <class Visit>
void for_each_in_graph(const onnx::GraphProto& outermost, const Visit& visit) {
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) {
      if (is_movable(tensor)) visit(Weight{tensor.name(), &tensor, nullptr});
    }
    for (const auto& node : graph.node()) for_each_in_constant(node, visit);
  });
}

template <class Visit>
void for_each_weight(const onnx::ModelProto& model, const Visit& visit) {
  const std::set<std::string> steering = steering_values(model), casted = casted_weights(model);
  const std::set<std::string> summed = summed_values(model);
  const auto unless_steering = [&](const Weight& weight) {
    if (steering.contains(weight.name) || casted.contains(weight.name)) return;
    const bool is_exact =
        weight.tensor != nullptr && !summed.contains(weight.name) && holds_whole_numbers(*weight.tensor);
    if (!is_exact) visit(weight);
  };
  for_each_in_graph(model.graph(), unless_steering);
  for (const auto& function : model.functions()) {
    for (const auto& node : function.node()) {
      for_each_in_constant(node, unless_steering);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) for_each_in_graph(attribute.g(), unless_steering);
        for (const auto& inner : attribute.graphs()) for_each_in_graph(inner, unless_steering);
      }
    }
  }
}

bool move(onnx::TensorProto& proto, Random& random, unsigned ulps) {
  const auto tensor = from_proto(proto);
  if (!tensor) return false;
  onnx::TensorProto moved = to_proto(nudged(*tensor, random, ulps), proto.name());
  proto.Swap(&moved);
  return true;
}

void move(onnx::AttributeProto& attribute, Random& random, unsigned ulps) {
  auto& floats = *attribute.mutable_floats();
  nudge(DType::f32, std::as_writable_bytes(std::span(floats.mutable_data(), static_cast<std::size_t>(floats.size()))),
        random, ulps);
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
  for_each_weight(model, [&](const Weight& weight) {
    Random random(seed, weight.name);
    // The walk is over `model`, which is ours to change; it hands out const because most of its callers only look.
    if (weight.tensor != nullptr) {
      moved += move(const_cast<onnx::TensorProto&>(*weight.tensor), random, ulps) ? 1 : 0;
    } else {
      move(const_cast<onnx::AttributeProto&>(*weight.floats), random, ulps);
      ++moved;
    }
  });
  return moved;
}

}  // namespace culprit
