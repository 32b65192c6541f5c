#include <algorithm>

#include "model/rename_values.h"
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

bool declares(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::find(graph.value_info(), name, &onnx::ValueInfoProto::name) != graph.value_info().end() ||
         std::ranges::find(graph.output(), name, &onnx::ValueInfoProto::name) != graph.output().end();
}

/// The branch, making what the If made. What it only hands on goes through an Identity.
onnx::GraphProto branch_for(const onnx::NodeProto& node, onnx::GraphProto branch) {
  NewNames names;
  std::vector<onnx::NodeProto> identities;
  for (int i = 0; i < std::min(branch.output_size(), node.output_size()); ++i) {
    const std::string inner = branch.output(i).name();
    if (node.output(i).empty()) continue;
    if (is_made(branch, inner) && names.emplace(inner, node.output(i)).second) continue;
    onnx::NodeProto identity;
    identity.set_op_type("Identity");
    identity.add_input(inner);
    identity.add_output(node.output(i));
    identities.push_back(std::move(identity));
  }
  for (onnx::NodeProto& identity : identities) *branch.add_node() = std::move(identity);
  // An Identity's output is no value of the branch, so its name is new there; its input moves with the others.
  rename_values(branch, names);
  return branch;
}

std::optional<Case> inlined(const View& view, std::size_t number, std::size_t /*last*/) {
  const Branch chosen = branches_of(view.model.graph()).at(number);
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  auto& out = graph_at(*made->mutable_graph(), chosen.path);
  const onnx::GraphProto before = out;
  const onnx::NodeProto& node = before.node(chosen.path.back());
  const onnx::GraphProto branch = branch_for(node, node.attribute(chosen.attribute).g());
  out.clear_node();
  for (int i = 0; i < before.node_size(); ++i) {
    if (i != chosen.path.back()) {
      *out.add_node() = before.node(i);
      continue;
    }
    for (const auto& inner : branch.node()) *out.add_node() = inner;
  }
  for (const auto& tensor : branch.initializer()) *out.add_initializer() = tensor;
  for (const auto& info : branch.value_info()) {
    if (!declares(before, info.name())) *out.add_value_info() = info;
  }
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
