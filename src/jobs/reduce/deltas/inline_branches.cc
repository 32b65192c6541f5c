#include "model/take_branch.h"
#include "reduce/deltas/bodies.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

/// A graph of an If: at any depth, for bodies of Loop and Scan hold many.
struct Branch {
  std::vector<int> path;  ///< of the If (bodies.h)
  int attribute;
};

void collect(const onnx::GraphProto& graph, std::vector<int> path, std::vector<Branch>& found) {
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    path.push_back(i);
    for (int a = 0; a < node.attribute_size(); ++a) {
      if (!node.attribute(a).has_g()) continue;
      if (node.op_type() == "If") found.push_back({path, a});
      path.push_back(a);
      collect(node.attribute(a).g(), path, found);
      path.pop_back();
    }
    path.pop_back();
  }
}

std::vector<Branch> branches_of(const onnx::GraphProto& graph) {
  std::vector<Branch> found;
  collect(graph, {}, found);
  return found;
}

std::optional<Case> inlined(const View& view, std::size_t number, std::size_t /*last*/) {
  const Branch chosen = branches_of(view.model.graph()).at(number);
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  take_branch(graph_at(*made->mutable_graph(), chosen.path), chosen.path.back(), chosen.attribute);
  std::vector<Inputs> samples = view.samples;
  sweep_all(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

}  // namespace

Delta inline_branches() {
  return {
      Delta::Way::listed, false, [](const View& view) { return branches_of(view.model.graph()).size(); }, inlined, {}};
}

}  // namespace culprit
