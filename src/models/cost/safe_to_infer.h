#pragma once
// Nodes over which ONNX's shape inference stumbles: it reads beyond its lists, divides by zero, or takes hours. Each
// guard was found by damaging models (tests/unit/models/cost/hostile_test.cc) or by reading onnx/defs of ONNX 1.19.

#include <onnx/onnx_pb.h>

#include "cost/shape_scope.h"

namespace culprit {

/// May ONNX's inference be asked about this node? It has to fit its schema as well (onnx::OpSchema::Verify).
bool is_safe_to_infer(const onnx::NodeProto& node, const ShapeScope& scope);

}  // namespace culprit
