#include <algorithm>

#include "reduce/cut_out.h"
#include "reduce/deltas/delta_list.h"

namespace culprit {
namespace {

struct Branch {
  int node, attribute;
};

std::vector<Branch> branches_of(const onnx::GraphProto& graph) {
  std::vector<Branch> branches;
  for (int i = 0; i < graph.node_size(); ++i) {
    const auto& node = graph.node(i);
    for (int a = 0; node.op_type() == "If" && a < node.attribute_size(); ++a) {
      if (node.attribute(a).has_g()) branches.push_back({i, a});
    }
  }
  return branches;
}

void rename(onnx::GraphProto& graph, const std::string& from, const std::string& to) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& input : *node.mutable_input()) {
      if (input == from) input = to;
    }
    for (auto& output : *node.mutable_output()) {
      if (output == from) output = to;
    }
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) rename(*attribute.mutable_g(), from, to);
    }
  }
  for (auto& output : *graph.mutable_output()) {
    if (output.name() == from) output.set_name(to);
  }
}

bool is_made(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(
      graph.node(), [&](const auto& node) { return std::ranges::find(node.output(), name) != node.output().end(); });
}

/// The nodes of the branch, making what the If made. What the branch only hands on goes through an Identity.
std::vector<onnx::NodeProto> nodes_for(const onnx::NodeProto& node, onnx::GraphProto branch) {
  std::vector<onnx::NodeProto> nodes;
  std::vector<onnx::NodeProto> identities;
  for (int i = 0; i < std::min(branch.output_size(), node.output_size()); ++i) {
    const std::string inner = branch.output(i).name();
    if (node.output(i).empty()) continue;
    if (is_made(branch, inner)) {
      rename(branch, inner, node.output(i));
      continue;
    }
    onnx::NodeProto identity;
    identity.set_op_type("Identity");
    identity.add_input(inner);
    identity.add_output(node.output(i));
    identities.push_back(std::move(identity));
  }
  nodes.assign(branch.node().begin(), branch.node().end());
  nodes.insert(nodes.end(), identities.begin(), identities.end());
  return nodes;
}

std::optional<Case> inlined(const View& view, std::size_t number, std::size_t /*last*/) {
  const Branch chosen = branches_of(view.model.graph()).at(number);
  const auto& graph = view.model.graph();
  const onnx::NodeProto& node = graph.node(chosen.node);
  const onnx::GraphProto& branch = node.attribute(chosen.attribute).g();
  auto made = std::make_shared<onnx::ModelProto>(view.model);
  auto& out = *made->mutable_graph();
  out.clear_node();
  for (int i = 0; i < graph.node_size(); ++i) {
    if (i != chosen.node) {
      *out.add_node() = graph.node(i);
      continue;
    }
    for (onnx::NodeProto& inner : nodes_for(node, branch)) *out.add_node() = std::move(inner);
  }
  for (const auto& tensor : branch.initializer()) *out.add_initializer() = tensor;
  for (const auto& info : branch.value_info()) *out.add_value_info() = info;
  std::vector<Inputs> samples = view.samples;
  sweep(*made, samples);
  return Case{std::move(made), std::move(samples)};
}

}  // namespace

Delta inline_branches() {
  return {"inline_branches",
          Delta::Way::listed,
          false,
          [](const View& view) { return branches_of(view.model.graph()).size(); },
          inlined,
          {}};
}

}  // namespace culprit
