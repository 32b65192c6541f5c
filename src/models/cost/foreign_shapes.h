#pragma once
// The sizes of what operators make that ONNX does not know: those that ONNX Runtime fuses (com.microsoft: its
// docs/ContribOperators.md; com.microsoft.nchwc: onnxruntime/core/graph/contrib_ops/nchwc_schema_defs.cc), and some
// that ONNX had before version 1.5 (ImageScaler, Crop, Affine, ...).

#include <onnx/onnx_pb.h>

#include "cost/shape_scope.h"

namespace culprit {

/// Adds to `scope` what follows for the outputs; nothing for operators without a rule.
void infer_foreign(const onnx::NodeProto& node, ShapeScope& scope);

/// Einsum, in place of ONNX's own inference, which reads beyond the sizes where the equation does not fit them.
void infer_einsum(const onnx::NodeProto& node, ShapeScope& scope);

}  // namespace culprit
