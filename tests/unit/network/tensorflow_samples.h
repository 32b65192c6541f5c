#pragma once
// Graphs and SavedModels of TensorFlow, made here.

#include <initializer_list>
#include <string>

#include "network/graph_def.pb.h"

namespace culprit {

template <class Nodes>
tensorflow::Node& add_tensorflow_node(Nodes& nodes, const std::string& name, const std::string& op,
                                      std::initializer_list<const char*> inputs = {}) {
  tensorflow::Node& node = *nodes.Add();
  node.set_name(name);
  node.set_op(op);
  for (const char* input : inputs) node.add_inputs(input);
  return node;
}

inline tensorflow::Node& add_placeholder(tensorflow::Graph& graph, const std::string& name, int type,
                                         std::initializer_list<int> dims) {
  tensorflow::Node& node = add_tensorflow_node(*graph.mutable_nodes(), name, "Placeholder");
  (*node.mutable_attributes())["dtype"].set_type(type);
  auto& shape = *(*node.mutable_attributes())["shape"].mutable_shape();
  for (const int dim : dims) shape.add_dim()->set_size(dim);
  return node;
}

/// y = relu(x), and a saver as every SavedModel has one: the restoring and the saving sit in functions.
inline tensorflow::SavedModel small_saved_model() {
  tensorflow::SavedModel model;
  tensorflow::MetaGraph& meta = *model.add_graphs();
  meta.mutable_facts()->add_tags("serve");
  tensorflow::Graph& graph = *meta.mutable_graph();
  add_placeholder(graph, "serving_default_x", 1, {-1, 3});
  add_tensorflow_node(*graph.mutable_nodes(), "call", "StatefulPartitionedCall", {"serving_default_x"});
  (*graph.mutable_nodes(1)->mutable_attributes())["f"].mutable_function()->set_name("inference");
  add_tensorflow_node(*graph.mutable_nodes(), "saver_filename", "Placeholder");
  for (const char* way : {"save", "restore"}) {
    auto& node = add_tensorflow_node(*graph.mutable_nodes(), way, "StatefulPartitionedCall", {"saver_filename"});
    (*node.mutable_attributes())["f"].mutable_function()->set_name(std::string("traced_") + way);
    tensorflow::Function& traced = *graph.mutable_library()->add_functions();
    traced.mutable_signature()->set_name(std::string("traced_") + way);
    add_tensorflow_node(*traced.mutable_nodes(), "names", "ShardedFilename");
    add_tensorflow_node(*traced.mutable_nodes(), "go", std::string(way) == "save" ? "SaveV2" : "RestoreV2");
  }
  tensorflow::Function& inference = *graph.mutable_library()->add_functions();
  inference.mutable_signature()->set_name("inference");
  add_tensorflow_node(*inference.mutable_nodes(), "relu", "Relu");
  meta.mutable_saver()->set_restore_op("restore");
  tensorflow::Signature& signature = (*meta.mutable_signatures())["serving_default"];
  auto& x = (*signature.mutable_inputs())["x"];
  x.set_tensor("serving_default_x:0");
  x.set_type(1);
  x.mutable_shape()->add_dim()->set_size(-1);
  x.mutable_shape()->add_dim()->set_size(3);
  (*signature.mutable_outputs())["y"].set_tensor("call:0");
  return model;
}

}  // namespace culprit
