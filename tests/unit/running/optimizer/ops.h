#pragma once

#include <onnx/onnx_pb.h>

#include <string>
#include <vector>

namespace culprit {

/// The operators of the main graph, in order.
inline std::vector<std::string> ops(const onnx::ModelProto& model) {
  std::vector<std::string> result;
  for (const auto& node : model.graph().node()) result.push_back(node.op_type());
  return result;
}

}  // namespace culprit
