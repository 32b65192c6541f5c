// Nodes anywhere: what they made is fed, what they used becomes an output.

#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

/// Constants go with what uses them.
std::vector<int> droppable(const onnx::GraphProto& graph) {
  std::vector<int> nodes;
  for (int i = 0; i < graph.node_size(); ++i) {
    if (!is_constant(graph.node(i))) nodes.push_back(i);
  }
  return nodes;
}

std::vector<std::string> all_inner_edges(const onnx::ModelProto& model) { return inner_edges(model.graph()); }

std::optional<Case> without_nodes(const View& view, std::size_t first, std::size_t last) {
  const std::vector<int> nodes = droppable(view.model.graph());
  if (last - first >= nodes.size()) return std::nullopt;
  std::vector<bool> kept(static_cast<std::size_t>(view.model.graph().node_size()), true);
  for (std::size_t i = first; i < last; ++i) kept[static_cast<std::size_t>(nodes[i])] = false;
  return cut(view, kept);
}

}  // namespace

Delta drop_nodes() {
  return {Delta::Way::halving, false, [](const View& view) { return droppable(view.model.graph()).size(); },
          without_nodes, all_inner_edges};
}

}  // namespace culprit
