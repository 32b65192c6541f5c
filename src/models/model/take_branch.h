#pragma once
// A branch of an If in the place of the If.

#include <onnx/onnx_pb.h>

namespace culprit {

/// Replaces node `node` of the graph, an If, by the nodes of the branch that its attribute number `attribute` holds:
/// they make the If's outputs, by these names. What the branch only hands on goes through an Identity. Stored tensors
/// and declared types of the branch become the graph's.
void take_branch(onnx::GraphProto& graph, int node, int attribute);

}  // namespace culprit
