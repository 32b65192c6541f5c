#include "reduce/deltas/bodies.h"

#include <algorithm>
#include <set>

#include "reduce/cut_out.h"

namespace culprit {
namespace {

/// Sweeps inner graphs first: what they use is used.
void sweep_bodies(onnx::GraphProto& graph, bool is_outermost) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) sweep_bodies(*attribute.mutable_g(), false);
    }
  }
  if (is_outermost) return;
  std::set<std::string> used;
  for (const auto& output : graph.output()) used.insert(output.name());
  for (int i = graph.node_size() - 1; i >= 0; --i) {
    const auto& node = graph.node(i);
    if (std::ranges::any_of(node.output(), [&](const std::string& name) { return used.contains(name); })) {
      for (const std::string& name : used_by(node)) used.insert(name);
    } else {
      graph.mutable_node()->DeleteSubrange(i, 1);
    }
  }
  for (int i = graph.initializer_size() - 1; i >= 0; --i) {
    if (!used.contains(graph.initializer(i).name())) graph.mutable_initializer()->DeleteSubrange(i, 1);
  }
}

}  // namespace

onnx::GraphProto& graph_at(onnx::GraphProto& outermost, const std::vector<int>& path) {
  onnx::GraphProto* graph = &outermost;
  for (std::size_t i = 0; i + 2 < path.size(); i += 2) {
    graph = graph->mutable_node(path[i])->mutable_attribute(path[i + 1])->mutable_g();
  }
  return *graph;
}

bool is_made(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(
      graph.node(), [&](const auto& node) { return std::ranges::find(node.output(), name) != node.output().end(); });
}

void sweep_all(onnx::ModelProto& model, std::vector<Inputs>& samples) {
  sweep_bodies(*model.mutable_graph(), true);
  sweep(model, samples);
}

}  // namespace culprit
