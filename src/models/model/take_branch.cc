#include "model/take_branch.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/rename_values.h"

namespace culprit {
namespace {

bool declares(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::find(graph.value_info(), name, &onnx::ValueInfoProto::name) != graph.value_info().end() ||
         std::ranges::find(graph.output(), name, &onnx::ValueInfoProto::name) != graph.output().end();
}

bool makes(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(
      graph.node(), [&](const auto& node) { return std::ranges::find(node.output(), name) != node.output().end(); });
}

std::set<std::string> names_in_graph(const onnx::GraphProto& graph) {
  std::set<std::string> names;
  for (const auto& input : graph.input()) names.insert(input.name());
  for (const auto& tensor : graph.initializer()) names.insert(tensor.name());
  for (const auto& node : graph.node()) names.insert(node.output().begin(), node.output().end());
  return names;
}

/// Graphs side by side may use a name twice; one graph may not.
NewNames told_apart(const onnx::GraphProto& graph, const onnx::GraphProto& branch) {
  NewNames names;
  const std::set<std::string> outside = names_in_graph(graph), inside = names_in_graph(branch);
  for (const std::string& name : inside) {
    if (name.empty() || !outside.contains(name)) continue;
    std::string made = name;
    for (int i = 2; outside.contains(made) || inside.contains(made); ++i) made = name + "/" + std::to_string(i);
    names.emplace(name, std::move(made));
  }
  return names;
}

/// The branch, making what the If made.
onnx::GraphProto branch_for(const onnx::NodeProto& node, onnx::GraphProto branch) {
  NewNames names;
  std::vector<onnx::NodeProto> identities;
  for (int i = 0; i < std::min(branch.output_size(), node.output_size()); ++i) {
    const std::string inner = branch.output(i).name();
    if (node.output(i).empty()) continue;
    if (makes(branch, inner) && names.emplace(inner, node.output(i)).second) continue;
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

}  // namespace

void take_branch(onnx::GraphProto& graph, int node, int attribute) {
  const onnx::NodeProto replaced = graph.node(node);
  onnx::GraphProto branch = replaced.attribute(attribute).g();
  rename_values(branch, told_apart(graph, branch));
  branch = branch_for(replaced, std::move(branch));
  for (const auto& info : branch.value_info())
    if (!declares(graph, info.name())) *graph.add_value_info() = info;
  for (auto& tensor : *branch.mutable_initializer()) *graph.add_initializer() = std::move(tensor);
  for (auto& tensor : *branch.mutable_sparse_initializer()) *graph.add_sparse_initializer() = std::move(tensor);
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  nodes.Reserve(graph.node_size() - 1 + branch.node_size());
  for (int i = 0; i < graph.node_size(); ++i) {
    if (i != node) {
      *nodes.Add() = std::move(*graph.mutable_node(i));
      continue;
    }
    for (auto& inner : *branch.mutable_node()) *nodes.Add() = std::move(inner);
  }
  graph.mutable_node()->Swap(&nodes);
}

}  // namespace culprit
