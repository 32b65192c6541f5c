#pragma once
// What Constant nodes hold, as the inference of shapes sees it.

#include <onnx/onnx_pb.h>

#include "cost/shape_scope.h"

namespace culprit {

/// Adds the value of a Constant node to `scope`: a stored tensor, a number or a list of numbers. The node has to
/// outlive the scope. Texts and sparse tensors have no value that matters here.
void set_constant(const onnx::NodeProto& node, ShapeScope& scope);

}  // namespace culprit
