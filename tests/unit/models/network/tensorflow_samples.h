#pragma once
// Graphs and SavedModels of TensorFlow, made here.

#include <initializer_list>
#include <string>

#include "network/graph_def.pb.h"
#include "network/tensorflow/tensor_value.h"
#include "network/tensorflow/tensorflow_types.h"

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

inline tensorflow::Node& add_constant(tensorflow::Graph& graph, const std::string& name, const Tensor& tensor) {
  tensorflow::Node& node = add_tensorflow_node(*graph.mutable_nodes(), name, "Const");
  (*node.mutable_attributes())["dtype"].set_type(tensorflow_type_of(tensor.dtype()).value());
  (*node.mutable_attributes())["value"].set_tensor(tensorflow_tensor(tensor).value());
  return node;
}

/// A node of floats.
inline tensorflow::Node& add_floats(tensorflow::Graph& graph, const std::string& name, const std::string& op,
                                    std::initializer_list<const char*> inputs) {
  tensorflow::Node& node = add_tensorflow_node(*graph.mutable_nodes(), name, op, inputs);
  (*node.mutable_attributes())["T"].set_type(tensorflow_float);
  return node;
}

inline void set_integers(tensorflow::Node& node, const std::string& name, std::initializer_list<int> numbers) {
  auto& list = *(*node.mutable_attributes())[name].mutable_list();
  for (const int number : numbers) list.add_integers(number);
}

/// Floats -1, -0.9, -0.8, ...
inline Tensor counted_floats(const Shape& shape) {
  std::vector<float> numbers(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<float>(i) * 0.1F - 1;
  return Tensor::of(shape, numbers);
}

/// x [N, 4, 4, 2] - Conv2D by 2, SAME, kernel [3, 3, 2, 3] - BiasAdd - Relu - MaxPool - Reshape to [-1, 3] - MatMul -
/// Softmax: the constants go through Identity, as in graphs that were frozen.
inline tensorflow::Graph small_network() {
  tensorflow::Graph graph;
  add_placeholder(graph, "x", tensorflow_float, {-1, 4, 4, 2});
  add_constant(graph, "kernel", counted_floats({3, 3, 2, 3}));
  add_floats(graph, "kernel/read", "Identity", {"kernel"});
  add_constant(graph, "bias", Tensor::of<float>({3}, {0.5F, -0.5F, 1}));
  add_constant(graph, "shape", Tensor::of<std::int32_t>({2}, {-1, 3}));
  add_constant(graph, "dense", counted_floats({3, 2}));
  auto& conv = add_floats(graph, "conv", "Conv2D", {"x", "kernel/read"});
  set_integers(conv, "strides", {1, 2, 2, 1});
  (*conv.mutable_attributes())["padding"].set_word("SAME");
  add_floats(graph, "biased", "BiasAdd", {"conv", "bias"});
  add_floats(graph, "relu", "Relu", {"biased"});
  auto& pool = add_floats(graph, "pool", "MaxPool", {"relu"});
  set_integers(pool, "ksize", {1, 2, 2, 1});
  set_integers(pool, "strides", {1, 2, 2, 1});
  (*pool.mutable_attributes())["padding"].set_word("VALID");
  auto& flat = add_floats(graph, "flat", "Reshape", {"pool", "shape"});
  (*flat.mutable_attributes())["Tshape"].set_type(tensorflow_int32);
  add_floats(graph, "mixed", "MatMul", {"flat", "dense"});
  add_floats(graph, "y", "Softmax", {"mixed"});
  return graph;
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
