#pragma once
// Which nodes of two models stand on one side only: what differs between them is what samples should reach.

#include <vector>

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace culprit {

struct DifferingNodes {
  std::vector<const onnx::NodeProto*> a, b;  ///< in bodies of control flow as well
};

/// Nodes that the other model has not as often: by operator, domain, attributes and constants of up to 16 elements.
/// Names, order and larger constants do not count. Linear in the size of the models, which must outlive the result.
DifferingNodes differing_nodes(const onnx::ModelProto& a, const onnx::ModelProto& b);

}  // namespace culprit
