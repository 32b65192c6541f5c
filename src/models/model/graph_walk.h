#pragma once
// Walks over the parts of a model that nest. Depth is bounded where models come in: protobuf parses at most 100 levels.

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace culprit {

/// The graph, then every graph inside the attributes of its nodes, outermost first.
template <class Visit>
void for_each_graph(const onnx::GraphProto& graph, const Visit& visit) {
  visit(graph);
  for (const auto& node : graph.node()) {
    for (const auto& attribute : node.attribute()) {
      if (attribute.has_g()) for_each_graph(attribute.g(), visit);
      for (const auto& inner : attribute.graphs()) for_each_graph(inner, visit);
    }
  }
}

inline bool has_graph(const onnx::NodeProto& node) {
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_g() || attribute.graphs_size() > 0) return true;
  }
  return false;
}

/// Names of values that lead to some place, graphs inside included: those for which `takes(node, i)` says that input i
/// of a node is the place, and from there backwards: where an output of a node leads there, the inputs i for which
/// `passes(node, i)`. From the last node to the first; names are not told apart by scope.
template <class Nodes, class Takes, class Passes>
void collect_leading(const Nodes& nodes, const Takes& takes, const Passes& passes, std::set<std::string>& names) {
  for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
    bool leads = false;
    for (const std::string& output : node->output()) leads = leads || names.contains(output);
    for (int i = 0; i < node->input_size(); ++i) {
      if (node->input(i).empty()) continue;
      if (takes(*node, i) || (leads && passes(*node, i))) names.insert(node->input(i));
    }
    for (const auto& attribute : node->attribute()) {
      if (attribute.has_g()) collect_leading(attribute.g().node(), takes, passes, names);
      for (const auto& inner : attribute.graphs()) collect_leading(inner.node(), takes, passes, names);
    }
  }
}

/// Every tensor stored in a node's own attributes; not those of graphs inside.
template <class Visit>
void for_each_attribute_tensor(const onnx::NodeProto& node, const Visit& visit) {
  const auto sparse = [&](const onnx::SparseTensorProto& tensor) {
    if (tensor.has_values()) visit(tensor.values());
    if (tensor.has_indices()) visit(tensor.indices());
  };
  for (const auto& attribute : node.attribute()) {
    if (attribute.has_t()) visit(attribute.t());
    for (const auto& tensor : attribute.tensors()) visit(tensor);
    if (attribute.has_sparse_tensor()) sparse(attribute.sparse_tensor());
    for (const auto& tensor : attribute.sparse_tensors()) sparse(tensor);
  }
}

/// Every stored tensor of a graph and of the graphs inside: initializers, sparse ones, attributes.
template <class Visit>
void for_each_tensor(const onnx::GraphProto& outermost, const Visit& visit) {
  for_each_graph(outermost, [&](const onnx::GraphProto& graph) {
    for (const auto& tensor : graph.initializer()) visit(tensor);
    for (const auto& tensor : graph.sparse_initializer()) {
      if (tensor.has_values()) visit(tensor.values());
      if (tensor.has_indices()) visit(tensor.indices());
    }
    for (const auto& node : graph.node()) for_each_attribute_tensor(node, visit);
  });
}

/// Every stored tensor of a model, those of its functions and training graphs included.
template <class Visit>
void for_each_tensor(const onnx::ModelProto& model, const Visit& visit) {
  for_each_tensor(model.graph(), visit);
  for (const auto& training : model.training_info()) {
    for_each_tensor(training.initialization(), visit);
    for_each_tensor(training.algorithm(), visit);
  }
  for (const auto& function : model.functions()) {
    for (const auto& node : function.node()) {
      for_each_attribute_tensor(node, visit);
      for (const auto& attribute : node.attribute()) {
        if (attribute.has_g()) for_each_tensor(attribute.g(), visit);
        for (const auto& inner : attribute.graphs()) for_each_tensor(inner, visit);
      }
    }
  }
}

/// "" and "ai.onnx" are two spellings of ONNX's own domain.
inline std::string_view domain_of(std::string_view domain) { return domain == "ai.onnx" ? std::string_view() : domain; }

/// The version of ai.onnx that the model imports; 1 where it imports none, as models did before there were imports.
/// Where it imports several, the last one counts, as for ONNX's checker.
inline std::int64_t opset_of(const onnx::ModelProto& model) {
  std::int64_t version = 1;
  for (const auto& opset : model.opset_import()) {
    if (domain_of(opset.domain()).empty()) version = opset.version();
  }
  return version;
}

}  // namespace culprit
