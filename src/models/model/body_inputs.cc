#include "model/body_inputs.h"

#include <onnx/onnx_pb.h>

#include "model/graph_walk.h"
#include "model/traced_value.h"

namespace culprit {
namespace {

using Inputs = std::unordered_map<std::string, BodyInput>;

void add_loop(const onnx::NodeProto& node, const onnx::GraphProto& body, Inputs& inputs) {
  constexpr int first_carried = 2;  // behind the number of the turn and the condition, as the node's own inputs
  for (int i = first_carried; i < std::min(node.input_size(), body.input_size()); ++i) {
    inputs.emplace(body.input(i).name(), BodyInput{node.input(i)});
  }
}

/// Since opset 9: the carried values, then what is cut into slices.
void add_scan(const onnx::NodeProto& node, const onnx::GraphProto& body, Inputs& inputs) {
  if (node.input_size() != body.input_size()) return;
  const auto sliced = integer_of(node, "num_scan_inputs", 0);
  const auto* axes = attribute_of(node, "scan_input_axes");
  const auto* directions = attribute_of(node, "scan_input_directions");
  for (int i = 0; i < node.input_size(); ++i) {
    BodyInput input{node.input(i)};
    const std::int64_t which = i - (node.input_size() - sliced);
    const auto given = [&](const onnx::AttributeProto* list) -> std::int64_t {
      return list != nullptr && which < list->ints_size() ? list->ints(static_cast<int>(which)) : 0;
    };
    if (which >= 0) {
      input.axis = given(axes);
      input.is_backward = given(directions) == 1;
    }
    inputs.emplace(body.input(i).name(), std::move(input));
  }
}

}  // namespace

std::unordered_map<std::string, BodyInput> body_inputs(const onnx::GraphProto& graph) {
  Inputs inputs;
  for_each_graph(graph, [&](const onnx::GraphProto& outer) {
    for (const auto& node : outer.node()) {
      const auto* body = domain_of(node.domain()).empty() ? attribute_of(node, "body") : nullptr;
      if (body == nullptr || !body->has_g()) continue;
      if (node.op_type() == "Loop") add_loop(node, body->g(), inputs);
      if (node.op_type() == "Scan") add_scan(node, body->g(), inputs);
    }
  });
  return inputs;
}

}  // namespace culprit
