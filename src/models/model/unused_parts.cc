#include "model/unused_parts.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <unordered_set>

#include "model/content_hash.h"
#include "model/graph_walk.h"

namespace culprit {
namespace {

/// Adds the names that a node reads: its inputs, and whatever the graphs inside read or give back. Names of inner
/// values are added too; they are unique, so that does no harm.
void add_reads(const onnx::NodeProto& node, std::unordered_set<std::string_view>& reads) {
  reads.insert(node.input().begin(), node.input().end());
  const auto add_graph = [&](const onnx::GraphProto& inner) {
    for_each_graph(inner, [&](const onnx::GraphProto& graph) {
      for (const auto& nested : graph.node()) reads.insert(nested.input().begin(), nested.input().end());
      for (const auto& output : graph.output()) reads.insert(output.name());
    });
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g()) add_graph(attribute.g());
    for (const auto& inner : attribute.graphs()) add_graph(inner);
  }
}

std::unordered_set<std::string_view> output_names(const onnx::GraphProto& graph) {
  std::unordered_set<std::string_view> names;
  for (const auto& output : graph.output()) names.insert(output.name());
  return names;
}

}  // namespace

Names unused_initializers(const onnx::ModelProto& model) {
  Names unused;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    auto used = output_names(graph);
    for (const auto& node : graph.node()) add_reads(node, used);
    for (const auto& tensor : graph.initializer()) {
      if (!used.contains(tensor.name())) unused.emplace_back(tensor.name());
    }
    for (const auto& tensor : graph.sparse_initializer()) {
      if (!used.contains(tensor.values().name())) unused.emplace_back(tensor.values().name());
    }
  });
  return unused;
}

Names duplicate_initializers(const onnx::ModelProto& model) {
  Names duplicates;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    std::set<Hash128> seen;
    const auto look_at = [&](const onnx::TensorProto& tensor, std::string_view name) {
      if (!seen.insert(content_hash(tensor)).second) duplicates.push_back(name);
    };
    for (const auto& tensor : graph.initializer()) look_at(tensor, tensor.name());
    for (const auto& node : graph.node()) {
      if (node.op_type() != "Constant" || node.output().empty()) continue;
      for_each_attribute_tensor(node, [&](const onnx::TensorProto& tensor) { look_at(tensor, node.output(0)); });
    }
  });
  return duplicates;
}

Names dead_nodes(const onnx::ModelProto& model) {
  Names dead;
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    auto wanted = output_names(graph);
    for (int i = graph.node_size() - 1; i >= 0; --i) {
      const auto& node = graph.node(i);
      const bool is_live =
          node.output().empty() || std::any_of(node.output().begin(), node.output().end(),
                                               [&](const auto& name) { return wanted.contains(name); });
      if (is_live) {
        add_reads(node, wanted);
      } else {
        dead.emplace_back(node.output(0));
      }
    }
  });
  return dead;
}

}  // namespace culprit
