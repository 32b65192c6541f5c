#include "model/values_of_node.h"

#include <onnx/onnx_pb.h>

#include <unordered_set>

#include "model/graph_walk.h"

namespace culprit {
namespace {

using ViewedNames = std::unordered_set<std::string_view>;

/// In a valid model an inner name hides no outer one, so one set serves all depths.
void add_made(const onnx::GraphProto& outermost, ViewedNames& made) {
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& input : graph.input()) made.insert(input.name());
    for (const auto& tensor : graph.initializer()) made.insert(tensor.name());
    for (const auto& tensor : graph.sparse_initializer()) made.insert(tensor.values().name());
    for (const auto& node : graph.node()) made.insert(node.output().begin(), node.output().end());
  });
}

void add_taken(const onnx::GraphProto& outermost, const ViewedNames& made, ViewedNames& seen,
               std::vector<std::string_view>& taken) {
  const auto take = [&](const std::string& name) {
    if (!name.empty() && !made.contains(name) && seen.insert(name).second) taken.push_back(name);
  };
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& node : graph.node()) {
      for (const auto& input : node.input()) take(input);
    }
    for (const auto& output : graph.output()) take(output.name());
  });
}

}  // namespace

std::vector<std::string_view> used_values(const onnx::NodeProto& node) {
  std::vector<std::string_view> used(node.input().begin(), node.input().end());
  ViewedNames made, seen;
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) add_made(attribute.g(), made);
    for (const auto& graph : attribute.graphs()) add_made(graph, made);
  }
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) add_taken(attribute.g(), made, seen, used);
    for (const auto& graph : attribute.graphs()) add_taken(graph, made, seen, used);
  }
  return used;
}

}  // namespace culprit
