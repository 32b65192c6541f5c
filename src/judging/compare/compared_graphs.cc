#include "compare/compared_graphs.h"

#include <algorithm>

#include "base/as_index.h"

namespace culprit {
namespace {

template <class Bound>
BoundValues bound_values(const GraphIndex& a, const GraphIndex& b, const Bound& binding) {
  BoundValues bound;
  const auto add = [&](auto& pairs, const std::string& one, const std::string& other) {
    const int first = a.find(one), second = b.find(other);
    if (first >= 0 && second >= 0) pairs.emplace_back(first, second);
  };
  for (const BoundInput& input : binding.inputs) add(bound.inputs, input.original, input.variant);
  for (const auto& [one, other] : binding.outputs) add(bound.outputs, one, other);
  return bound;
}

std::vector<std::string> fed(const ModelBinding& binding, std::string BoundInput::*side) {
  std::vector<std::string> names;
  for (const BoundInput& input : binding.inputs) names.push_back(input.*side);
  return names;
}

}  // namespace

ComparedGraphs::ComparedGraphs(EditableModel one, EditableModel other, ModelBinding how)
    : a(std::move(one)),
      b(std::move(other)),
      binding(std::move(how)),
      index_a(index_of(a.proto, fed(binding, &BoundInput::original))),
      index_b(index_of(b.proto, fed(binding, &BoundInput::variant))),
      bound(bound_values(index_a, index_b, binding)),
      map(map_values(index_a, index_b, bound)) {}

NodeRef node_ref(const GraphIndex& graph, int node) {
  return node < 0 ? NodeRef{} : node_ref(*graph.nodes[as_index(node)].proto, node);
}

NodeRef node_ref(const onnx::NodeProto& node, int index) {
  return {node.name(), node.op_type(), index, node.output_size() > 0 ? node.output(0) : ""};
}

bool have_common(const ComparedGraphs& graphs) {
  const MapCoverage& coverage = graphs.map.coverage;
  const auto maker = [](const GraphIndex& graph, int value) -> const GraphIndex::Node* {
    const int node = graph.values[as_index(value)].node;
    return node < 0 ? nullptr : &graph.nodes[as_index(node)];
  };
  return coverage.mapped > coverage.by_binding || coverage.values == coverage.by_binding ||
         std::ranges::any_of(graphs.bound.outputs, [&](const auto& output) {
           const auto* one = maker(graphs.index_a, output.first);
           const auto* other = maker(graphs.index_b, output.second);
           return one != nullptr && other != nullptr && one->kind == other->kind;
         });
}

}  // namespace culprit
