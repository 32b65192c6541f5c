#pragma once
// Who has a name in an ONNX graph. Private to this folder.

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <string>

namespace culprit {

/// `things`: inputs, outputs or stored tensors of a graph.
template <class Things>
bool has_name(const Things& things, const std::string& name) {
  return std::ranges::any_of(things, [&](const auto& one) { return one.name() == name; });
}

/// Does a node of the graph make this value? Bodies are not looked into.
inline bool is_made_by_node(const onnx::GraphProto& graph, const std::string& name) {
  return std::ranges::any_of(graph.node(), [&](const onnx::NodeProto& node) {
    return std::ranges::find(node.output(), name) != node.output().end();
  });
}

}  // namespace culprit
