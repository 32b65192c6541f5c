#pragma once
// What a graph in ONNX's text syntax costs, for tests.

#include <string>

#include "cost/node_costs.h"
#include "unit/models/model/parse.h"

namespace culprit {

inline onnx::ModelProto model_of(const std::string& graph, int opset = 17) {
  return parse_model("<ir_version: 8, opset_import: [\"\" : " + std::to_string(opset) +
                     ", \"com.microsoft\" : 1, \"com.microsoft.nchwc\" : 1]> g " + graph);
}

inline NodeCosts cost_of(const std::string& graph, int opset = 17) {
  return node_costs(model_of(graph, opset), InputShapes{});
}

}  // namespace culprit
