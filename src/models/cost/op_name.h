#pragma once
// Types of operators with their domains, as records name them.

#include <onnx/onnx_pb.h>

#include <string>

#include "model/graph_walk.h"

namespace culprit {

/// "Conv", "com.microsoft.FusedConv": ONNX's own domain is not written.
inline std::string op_name(const onnx::NodeProto& node) {
  const std::string domain(domain_of(node.domain()));
  return domain.empty() ? node.op_type() : domain + "." + node.op_type();
}

}  // namespace culprit
