#include "model/order_by_use.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/graph_walk.h"
#include "model/values_of_node.h"

namespace culprit {
namespace {

class Walk {
 public:
  explicit Walk(const onnx::GraphProto& graph) : graph_(graph), states_(static_cast<std::size_t>(graph.node_size())) {
    for (int i = 0; i < graph.node_size(); ++i) {
      for (const std::string& output : graph.node(i).output()) maker_.emplace(output, i);
    }
  }

  /// Places of nodes in their new order; fewer than there are where they go round in a circle.
  std::vector<int> from_outputs() {
    for (const auto& output : graph_.output()) visit(output.name());
    return from_nodes();
  }

  std::vector<int> from_nodes() {
    for (int i = 0; i < graph_.node_size(); ++i) visit(i);
    return goes_round_ ? std::vector<int>() : std::move(order_);
  }

 private:
  enum class State : char { unseen, open, done };
  struct Open {
    int node;
    std::vector<std::string_view> used;
    std::size_t next = 0;
  };

  void visit(std::string_view value) {
    const auto maker = maker_.find(value);
    if (maker != maker_.end()) visit(maker->second);
  }

  /// Without recursion, for graphs can be deep.
  void visit(int first) {
    std::vector<Open> open;
    enter(first, open);
    while (!open.empty() && !goes_round_) {
      Open& top = open.back();
      if (top.next == top.used.size()) {
        states_[static_cast<std::size_t>(top.node)] = State::done;
        order_.push_back(top.node);
        open.pop_back();
        continue;
      }
      const auto maker = maker_.find(top.used[top.next++]);
      if (maker != maker_.end()) enter(maker->second, open);
    }
  }

  void enter(int node, std::vector<Open>& open) {
    State& state = states_[static_cast<std::size_t>(node)];
    goes_round_ = goes_round_ || state == State::open;
    if (state != State::unseen) return;
    state = State::open;
    open.push_back({node, used_values(graph_.node(node))});
  }

  const onnx::GraphProto& graph_;
  std::vector<State> states_;
  std::unordered_map<std::string_view, int> maker_;
  std::vector<int> order_;
  bool goes_round_ = false;
};

template <class Order>
void for_each_body(onnx::GraphProto& graph, const Order& order) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) order(*attribute.mutable_g());
      for (auto& inner : *attribute.mutable_graphs()) order(inner);
    }
  }
}

void take_order(onnx::GraphProto& graph, const std::vector<int>& order) {
  if (order.size() != static_cast<std::size_t>(graph.node_size())) return;
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  nodes.Reserve(graph.node_size());
  for (const int i : order) *nodes.Add() = std::move(*graph.mutable_node(i));
  graph.mutable_node()->Swap(&nodes);
}

int own_nodes_too_early(const onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> to_come;
  for (const auto& node : graph.node()) to_come.insert(node.output().begin(), node.output().end());
  to_come.erase("");  // an output left out
  int too_early = 0;
  for (const auto& node : graph.node()) {
    if (std::ranges::any_of(used_values(node), [&](std::string_view value) { return to_come.contains(value); }))
      ++too_early;
    for (const std::string& output : node.output()) to_come.erase(output);
  }
  return too_early;
}

}  // namespace

void order_by_use(onnx::GraphProto& graph) {
  for_each_body(graph, order_by_use);
  take_order(graph, Walk(graph).from_outputs());
}

int nodes_too_early(const onnx::GraphProto& graph) {
  int too_early = 0;
  for_each_graph(graph, [&](const onnx::GraphProto& inner) { too_early += own_nodes_too_early(inner); });
  return too_early;
}

void sort_by_use(onnx::GraphProto& graph) {
  for_each_body(graph, sort_by_use);
  take_order(graph, Walk(graph).from_nodes());
}

Warning not_sorted_warning(int nodes) {
  return {"not_sorted", fmt::format("{} before one whose value it uses, which ONNX forbids; ONNX Runtime sorts nodes "
                                    "itself, and it is judged as if they were sorted",
                                    nodes == 1 ? "a node stands" : fmt::format("each of {} nodes stands", nodes))};
}

}  // namespace culprit
