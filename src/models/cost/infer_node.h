#pragma once
// The types and sizes of what one node makes, from those of what it takes.

#include <onnx/onnx_pb.h>

#include <map>
#include <string>

#include "cost/shape_scope.h"

namespace culprit {

/// Versions of operator sets, by domain ("" is ONNX's own).
using Opsets = std::map<std::string, int>;

/// Adds to `scope` what follows for the outputs of a node without subgraphs: by ONNX's own shape inference and data
/// propagation (onnx/defs), and for operators that ONNX does not know by the rules of cost/foreign_shapes.h. Where
/// nothing follows, nothing is added. Nodes that ONNX's inference is known to stumble over (a stride of 0, a weight of
/// another rank than what it is applied to) are passed over, as are those that their operator's schema does not allow.
void infer_node(const onnx::NodeProto& node, const Opsets& opsets, ShapeScope& scope);

/// ONNX's part of it; false where it does not know the operator.
bool infer_by_schema(const onnx::NodeProto& node, int version, ShapeScope& scope);

}  // namespace culprit
