#include "conversion/sides/network_natures.h"

#include <onnx/onnx_pb.h>

#include "base/as_index.h"

namespace culprit {
namespace {

std::string name_by_number(int value) { return value < 0 ? "" : "v" + std::to_string(value); }

}  // namespace

std::vector<Nature> natures_of(const Network& network) {
  onnx::ModelProto model;
  onnx::GraphProto& graph = *model.mutable_graph();
  for (std::size_t value = 0; value < network.values.size(); ++value)
    if (network.values[value].constant) graph.add_initializer()->set_name(name_by_number(static_cast<int>(value)));
  for (const NetworkLayer& layer : network.layers) {
    onnx::NodeProto& node = *graph.add_node();
    node.set_op_type(layer.type);
    for (const int input : layer.inputs) node.add_input(name_by_number(input));
    for (const int output : layer.outputs) node.add_output(name_by_number(output));
    const auto to = layer.hyper.find("to");
    if (to == layer.hyper.end() || !std::holds_alternative<std::int64_t>(to->second)) continue;
    onnx::AttributeProto& attribute = *node.add_attribute();
    attribute.set_name("to");
    attribute.set_type(onnx::AttributeProto::INT);
    attribute.set_i(std::get<std::int64_t>(to->second));
  }
  const auto by_name = natures_of(model);
  std::vector<Nature> natures(network.values.size(), Nature::smooth);
  for (std::size_t value = 0; value < natures.size(); ++value)
    if (const auto known = by_name.find(name_by_number(static_cast<int>(value))); known != by_name.end())
      natures[value] = known->second;
  return natures;
}

}  // namespace culprit
