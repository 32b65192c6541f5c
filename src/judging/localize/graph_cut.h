#pragma once
// How the graphs before and after a pass hang together: which nodes are the same, and what stands for what. Used by
// graph_pieces.cc alone.

#include <onnx/onnx_pb.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace culprit {

/// What defines values: a node of the top graph, or an initializer.
struct Definition {
  const onnx::NodeProto* node = nullptr;
  const onnx::TensorProto* initializer = nullptr;
  int place = 0;  ///< of the node in its graph; initializers have none
  [[nodiscard]] std::vector<std::string> names() const;
};

/// Definitions before that give way to definitions after, because they share a name: "y = Add(a, b)" to "y = Sub(a,
/// b)".
struct Exchange {
  std::vector<Definition> before, after;
};

struct GraphCut {
  /// Nodes that are the same but for what they read, before and after.
  std::map<const onnx::NodeProto*, const onnx::NodeProto*> same;
  /// What these nodes read otherwise: a name that is read, the name that is read instead, and the first node that does,
  /// in order.
  std::vector<std::pair<std::pair<std::string, std::string>, const onnx::NodeProto*>> replaced;
  std::vector<Exchange> exchanged;
  std::vector<Definition> removed, added;  ///< without a counterpart
};

GraphCut cut(const onnx::GraphProto& before, const onnx::GraphProto& after);

/// Calls `visit` with every name that the node reads, also in the graphs inside it; names of inner values too.
template <class Visit>
void for_each_read(const onnx::NodeProto& node, const Visit& visit) {
  for (const auto& name : node.input()) visit(name);
  const auto inside = [&](const onnx::GraphProto& graph) {
    for (const auto& inner : graph.node()) for_each_read(inner, visit);
    for (const auto& output : graph.output()) visit(output.name());
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) inside(attribute.g());
    for (const auto& graph : attribute.graphs()) inside(graph);
  }
}

/// Calls `visit` for each pair of nodes that stand for each other: these, and those in the graphs inside them.
template <class Node, class Visit>
void for_each_pair(Node& one, const onnx::NodeProto& other, const Visit& visit) {
  visit(one, other);
  for (int a = 0; a < one.attribute_size(); ++a) {
    auto inside = [&](auto& graph, const onnx::GraphProto& counterpart) {
      for (int i = 0; i < graph.node_size(); ++i) {
        if constexpr (std::is_const_v<Node>) {
          for_each_pair(graph.node(i), counterpart.node(i), visit);
        } else {
          for_each_pair(*graph.mutable_node(i), counterpart.node(i), visit);
        }
      }
    };
    if constexpr (std::is_const_v<Node>) {
      if (one.attribute(a).has_g()) inside(one.attribute(a).g(), other.attribute(a).g());
    } else {
      if (one.attribute(a).has_g()) inside(*one.mutable_attribute(a)->mutable_g(), other.attribute(a).g());
    }
  }
}

}  // namespace culprit
