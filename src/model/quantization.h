#pragma once
// Which outputs are quantized, and how far apart two of their values are.

#include <map>
#include <string>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// One quantization step for each output of the model that has one. Outputs straight from QuantizeLinear,
/// DynamicQuantizeLinear or a QLinear operator are integers: 1. Outputs straight from DequantizeLinear are floats: its
/// scale, the largest where there are many. "Straight" also through operators that only move elements (Reshape,
/// Transpose, Slice, Concat, MaxPool and the like); where those bring several together, the largest step counts. Scales
/// that are computed, or lie outside the model, are not known and give none.
std::map<std::string, double> quantization_steps(const onnx::ModelProto& model);

}  // namespace culprit
