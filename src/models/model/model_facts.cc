#include <onnx/onnx_pb.h>

#include <algorithm>

#include "base/text.h"
#include "model/graph_walk.h"
#include "model/model.h"

namespace culprit {

ModelFacts facts_of(const onnx::ModelProto& model) {
  ModelFacts facts;
  facts.ir_version = model.ir_version();
  for_each_graph(model.graph(), [&](const onnx::GraphProto& graph) {
    facts.nodes += graph.node_size();
    facts.initializers += graph.initializer_size() + graph.sparse_initializer_size();
  });
  for (const auto& opset : model.opset_import()) {
    auto& version = facts.opsets[printable(domain_of(opset.domain()))];
    version = std::max<std::int64_t>(version, opset.version());
  }
  const Interface interface = interface_of(model);
  for (const auto& input : interface.inputs) facts.inputs.push_back(input.text());
  for (const auto& output : interface.outputs) facts.outputs.push_back(output.text());
  return facts;
}

}  // namespace culprit
