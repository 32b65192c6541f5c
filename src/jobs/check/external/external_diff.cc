#include "check/external/external_diff.h"

#include <onnx/onnx_pb.h>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "model/values_of_node.h"

namespace culprit {
namespace {

std::set<int> numbers_of(const std::vector<NodeRef>& nodes, const onnx::GraphProto& graph) {
  std::set<int> numbers;
  for (const NodeRef& node : nodes) {
    if (node.index >= 0 && node.index < graph.node_size()) numbers.insert(static_cast<int>(node.index));
  }
  return numbers;
}

std::set<std::string> inputs_of(const onnx::GraphProto& graph, const std::set<int>& nodes) {
  std::set<std::string> inputs;
  for (const int node : nodes) {  // bodies included: they take weights from around them
    for (const std::string_view value : used_values(graph.node(node))) inputs.emplace(value);
  }
  return inputs;
}

/// These nodes with the constants and the weights that they take.
onnx::ModelProto part_of(const Model& model, const std::vector<NodeRef>& named) {
  const onnx::GraphProto& graph = model.proto->graph();
  std::set<int> nodes = numbers_of(named, graph);
  const std::set<std::string> inputs = inputs_of(graph, nodes);
  for (int i = 0; i < graph.node_size(); ++i) {
    const onnx::NodeProto& node = graph.node(i);
    const bool is_taken = node.output_size() > 0 && inputs.contains(node.output(0));
    if (is_taken && node.op_type() == "Constant") nodes.insert(i);
  }
  onnx::ModelProto part;
  for (const int node : nodes) *part.mutable_graph()->add_node() = graph.node(node);
  for (const onnx::TensorProto& weight : graph.initializer()) {
    if (inputs.contains(weight.name())) *part.mutable_graph()->add_initializer() = weight;
  }
  // Where that fails the places of the weights are compared, and said to be what they are.
  if (model.has_external_data) (void)inline_external_data(part, model.path.parent_path());
  return part;
}

std::size_t lines_of(const NodeDiff& diff) { return diff.lines.size() + diff.more; }

}  // namespace

NodeDiff external_diff(const Model& original, const Model& variant, const std::optional<DivergenceRecord>& first) {
  NodeDiff whole = node_diff(*original.proto, *variant.proto);
  if (!first) return whole;
  NodeDiff near =
      node_diff(part_of(original, first->nodes_original), part_of(variant, first->nodes_variant), 40, first->variant);
  if (lines_of(near) == 0) return whole;
  const std::size_t told = near.lines.size() - near.stay;
  near.more = lines_of(whole) > told ? lines_of(whole) - told : 0;
  return near;
}

}  // namespace culprit
