// Nodes and the edges between them.
#include "fuzz/mutation.h"

namespace culprit::fuzz {
namespace {

bool swap(const EditableModel& work) {
  auto& nodes = *work.graph().mutable_node();
  if (nodes.size() < 2) return false;
  nodes.SwapElements(work.below(nodes.size()), work.below(nodes.size()));
  return true;
}

bool duplicate(const EditableModel& work) {
  auto& graph = work.graph();
  if (graph.node().empty()) return false;
  const onnx::NodeProto copy = graph.node(work.below(graph.node_size()));
  auto* added = graph.add_node();
  *added = copy;
  if (work.chance(0.5)) return true;  // two nodes with the same outputs
  for (auto& output : *added->mutable_output()) output += "_again";
  return true;
}

bool drop(const EditableModel& work) {
  auto& nodes = *work.graph().mutable_node();
  if (nodes.empty()) return false;
  nodes.DeleteSubrange(work.below(nodes.size()), 1);
  return true;
}

bool drop_all(const EditableModel& work) {
  auto& nodes = *work.graph().mutable_node();
  if (nodes.empty() || !work.chance(0.3)) return false;
  nodes.Clear();
  return true;
}

/// A node of another model, between two values of this one.
bool borrow(const EditableModel& work) {
  auto& graph = work.graph();
  const auto& other = work.borrowed();
  if (other.node().empty()) return false;
  onnx::NodeProto node = other.node(work.below(other.node_size()));
  for (auto& input : *node.mutable_input()) input = work.name_in(graph);
  if (node.output_size() > 0 && work.chance(0.5)) node.set_output(0, work.name_in(graph));
  *graph.add_node() = node;
  graph.mutable_node()->SwapElements(graph.node_size() - 1, work.below(graph.node_size()));
  return true;
}

bool rename_input(const EditableModel& work) {
  auto& graph = work.graph();
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr || node->input().empty()) return false;
  *pick(node->mutable_input(), work) = work.name_in(graph);
  return true;
}

bool rename_output(const EditableModel& work) {
  auto& graph = work.graph();
  auto* node = pick(graph.mutable_node(), work);
  if (node == nullptr || node->output().empty()) return false;
  *pick(node->mutable_output(), work) = work.name_in(graph);
  return true;
}

bool feed_itself(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr || node->input().empty() || node->output().empty()) return false;
  *pick(node->mutable_input(), work) = node->output(0);
  return true;
}

bool empty_edge(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr || node->input_size() + node->output_size() == 0) return false;
  auto* edges = work.chance(0.6) ? node->mutable_input() : node->mutable_output();
  if (auto* edge = pick(edges, work)) edge->clear();
  return true;
}

bool change_edge_count(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr) return false;
  auto* edges = work.chance(0.7) ? node->mutable_input() : node->mutable_output();
  if (!edges->empty() && work.chance(0.5)) {
    edges->RemoveLast();
  } else {
    for (int i = work.chance(0.1) ? 3000 : 1; i > 0; --i) *edges->Add() = work.name_in(work.model.graph());
  }
  return true;
}

bool change_operator(const EditableModel& work) {
  auto* node = work.node();
  const auto& other = work.borrowed();
  if (node == nullptr || other.node().empty()) return false;
  node->set_op_type(work.chance(0.9) ? other.node(work.below(other.node_size())).op_type() : edge_name(work));
  return true;
}

bool change_domain(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr) return false;
  static const std::vector<std::string> domains{"",       "ai.onnx", "ai.onnx.ml", "com.microsoft", "ai.onnx.training",
                                                "nowhere"};
  node->set_domain(work.chance(0.8) ? one_of(domains, work) : edge_name(work));
  return true;
}

bool name_badly(const EditableModel& work) {
  auto* node = work.node();
  if (node == nullptr) return false;
  *one_of(std::vector<std::string*>{node->mutable_name(), node->mutable_doc_string(), node->mutable_overload()}, work) =
      edge_name(work);
  return true;
}

}  // namespace

std::vector<Mutation> node_mutations() {
  return {{"nodes swapped", swap},
          {"node duplicated", duplicate},
          {"node dropped", drop},
          {"all nodes dropped", drop_all},
          {"node of another model", borrow},
          {"input of a node renamed", rename_input},
          {"output of a node renamed", rename_output},
          {"node feeds itself", feed_itself},
          {"edge emptied", empty_edge},
          {"more or fewer edges", change_edge_count},
          {"other operator", change_operator},
          {"other domain", change_domain},
          {"name of a node", name_badly}};
}

}  // namespace culprit::fuzz
