#include "model/order_by_use.h"

#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/graph_walk.h"

namespace culprit {
namespace {

/// Values that a node uses, in their order, those that its bodies take from around them included.
std::vector<std::string_view> used_by(const onnx::NodeProto& node) {
  std::vector<std::string_view> used(node.input().begin(), node.input().end());
  const auto use_in_body = [&](const onnx::GraphProto& body) {
    for (const auto& inner : body.node()) used.insert(used.end(), inner.input().begin(), inner.input().end());
    for (const auto& output : body.output()) used.push_back(output.name());
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) for_each_graph(attribute.g(), use_in_body);
    for (const auto& inner : attribute.graphs()) for_each_graph(inner, use_in_body);
  }
  return used;
}

class Walk {
 public:
  explicit Walk(const onnx::GraphProto& graph) : graph_(graph), states_(static_cast<std::size_t>(graph.node_size())) {
    for (int i = 0; i < graph.node_size(); ++i) {
      for (const std::string& output : graph.node(i).output()) maker_.emplace(output, i);
    }
  }

  /// Places of nodes in their new order; fewer than there are where they go round in a circle.
  std::vector<int> run() {
    for (const auto& output : graph_.output()) visit(output.name());
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
    open.push_back({node, used_by(graph_.node(node))});
  }

  const onnx::GraphProto& graph_;
  std::vector<State> states_;
  std::unordered_map<std::string_view, int> maker_;
  std::vector<int> order_;
  bool goes_round_ = false;
};

}  // namespace

void order_by_use(onnx::GraphProto& graph) {
  for (auto& node : *graph.mutable_node()) {
    for (auto& attribute : *node.mutable_attribute()) {
      if (attribute.has_g()) order_by_use(*attribute.mutable_g());
      for (auto& inner : *attribute.mutable_graphs()) order_by_use(inner);
    }
  }
  const std::vector<int> order = Walk(graph).run();
  if (order.size() != static_cast<std::size_t>(graph.node_size())) return;
  google::protobuf::RepeatedPtrField<onnx::NodeProto> nodes;
  nodes.Reserve(graph.node_size());
  for (const int i : order) *nodes.Add() = std::move(*graph.mutable_node(i));
  graph.mutable_node()->Swap(&nodes);
}

}  // namespace culprit
