#pragma once
// A graph for checks that read the values inside it.

#include <onnx/onnx_pb.h>

#include <memory>
#include <string>
#include <vector>

namespace culprit {

struct NodeOfOne {
  std::string op, input, output;
};

/// The input is x, the outputs are y and z, and each node takes one value and makes one.
inline std::shared_ptr<const onnx::ModelProto> two_output_graph(const std::vector<NodeOfOne>& nodes) {
  auto proto = std::make_shared<onnx::ModelProto>();
  proto->set_ir_version(8);
  proto->add_opset_import()->set_version(17);
  auto& graph = *proto->mutable_graph();
  graph.set_name("g");
  graph.add_input()->set_name("x");
  for (const char* name : {"y", "z"}) graph.add_output()->set_name(name);
  for (const NodeOfOne& made : nodes) {
    auto* node = graph.add_node();
    node->set_op_type(made.op);
    node->add_input(made.input);
    node->add_output(made.output);
  }
  return proto;
}

}  // namespace culprit
