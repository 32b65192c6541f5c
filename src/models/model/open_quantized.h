#pragma once
// Operators that take quantized numbers and give quantized ones (QLinearConv), opened up: so that their rounding, which
// is inside, can be moved as that of a QuantizeLinear is.

#include <cstdint>

namespace onnx {
class ModelProto;
class NodeProto;
}  // namespace onnx

namespace culprit {

/// Is it one that `open_quantized` may know: QLinearConv, QLinearMatMul, and of com.microsoft QLinearAdd, QLinearMul,
/// QLinearConcat, QLinearSigmoid, QLinearLeakyRelu, QLinearAveragePool and QLinearGlobalAveragePool?
bool is_quantized_operator(const onnx::NodeProto& node);

/// Puts in place of each of these (subgraphs included, functions not) the same in floats, and a QuantizeLinear behind
/// it. Products are made of the whole numbers themselves, and then scaled, as the operators do it: so what comes out is
/// the same but for values that lie within a unit in the last place of a border of two steps. Left alone where that
/// cannot be said in floats: no zero point of the output, scales by row, channels last. Returns how many were opened.
std::int64_t open_quantized(onnx::ModelProto& model);

}  // namespace culprit
