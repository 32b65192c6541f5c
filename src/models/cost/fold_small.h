#pragma once
// What nodes make of small stored values, and of sizes: exporters compute pads and shapes so (PyTorch's F.pad: Concat,
// Reshape, Slice, Transpose), and ONNX's data propagation follows only some operators, of newer versions.

#include <onnx/onnx_pb.h>

#include "cost/shape_scope.h"

namespace culprit {

/// Adds the elements of what the node makes to `scope`, where all that it takes is known and small. Its type has to
/// stand there already (infer_node); where that is not known, nothing is added.
void fold_small(const onnx::NodeProto& node, ShapeScope& scope);

}  // namespace culprit
