#pragma once
// Do two models compute by the same operators?

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Is there an operator that rounds (model/rounding_ops.h) in one of them more often than in the other? Graphs inside
/// and functions included. What moves elements, or makes shapes, is not looked at.
bool operators_differ(const onnx::ModelProto& a, const onnx::ModelProto& b);

}  // namespace culprit
