#include "model/rounding_ops.h"

#include <onnx/onnx_pb.h>

#include <algorithm>
#include <set>
#include <string>

#include "model/traced_value.h"
#include "tensor/perturb_elements.h"
#include "tensor/tensor_proto.h"

namespace culprit {
namespace {

using OpNames = std::set<std::string_view>;

}  // namespace

bool is_product(std::string_view op) {
  static const OpNames ops{"MatMul",    "Gemm",        "Conv",      "ConvTranspose", "Einsum",
                           "Attention", "FusedMatMul", "FusedConv", "FusedGemm",     "MatMulNBits"};
  return ops.contains(op);
}

bool is_sum(std::string_view op) {
  static const OpNames ops{"ReduceSum",
                           "ReduceMean",
                           "ReduceL1",
                           "ReduceL2",
                           "ReduceLogSum",
                           "ReduceLogSumExp",
                           "ReduceSumSquare",
                           "ReduceProd",
                           "AveragePool",
                           "GlobalAveragePool",
                           "LpPool",
                           "GlobalLpPool",
                           "Softmax",
                           "LogSoftmax",
                           "LRN",
                           "CumSum",
                           "LpNormalization",
                           "MeanVarianceNormalization",
                           "LayerNormalization",
                           "InstanceNormalization",
                           "GroupNormalization",
                           "RMSNormalization",
                           "SimplifiedLayerNormalization",
                           "SkipLayerNormalization",
                           "SkipSimplifiedLayerNormalization",
                           "Sum",
                           "Mean",
                           "DFT",
                           "STFT",
                           "Det"};
  return ops.contains(op);
}

bool is_recurrent(std::string_view op) {
  static const OpNames ops{"LSTM", "GRU", "RNN"};
  return ops.contains(op);
}

bool keeps_round_numbers(const onnx::NodeProto& node) {
  const auto* activations = attribute_of(node, "activations");
  return activations != nullptr &&
         std::ranges::all_of(activations->strings(), [](const std::string& one) { return one == "Relu"; });
}

bool is_function(std::string_view op) {
  static const OpNames ops{"Add",
                           "Sub",
                           "Mul",
                           "Div",
                           "Pow",
                           "Sqrt",
                           "Exp",
                           "Log",
                           "Sin",
                           "Cos",
                           "Tan",
                           "Asin",
                           "Acos",
                           "Atan",
                           "Sinh",
                           "Cosh",
                           "Tanh",
                           "Asinh",
                           "Acosh",
                           "Atanh",
                           "Sigmoid",
                           "Erf",
                           "Reciprocal",
                           "Gelu",
                           "FastGelu",
                           "BiasGelu",
                           "QuickGelu",
                           "Softplus",
                           "Softsign",
                           "Elu",
                           "Celu",
                           "Selu",
                           "Mish",
                           "Swish",
                           "HardSigmoid",
                           "HardSwish",
                           "BatchNormalization",
                           "DequantizeLinear",
                           "Resize",
                           "Upsample",
                           "GridSample",
                           "Normalizer",
                           "Scaler",
                           "LinearRegressor"};
  return ops.contains(op);
}

bool only_moves(std::string_view op) {
  static const OpNames ops{"Identity", "Reshape", "Transpose", "Squeeze", "Unsqueeze", "Flatten", "Slice",
                           "Concat",   "Gather",  "Expand",    "Split",   "Tile",      "Pad"};
  return ops.contains(op);
}

bool asks_for_shapes(std::string_view op) {
  static const OpNames ops{"Shape", "Size", "Constant", "ConstantOfShape", "EyeLike", "Range"};
  return ops.contains(op);
}

bool is_made_of_shapes(std::string_view op) {
  static const OpNames ops{"Shape", "Size", "EyeLike", "ConstantOfShape"};
  return ops.contains(op);
}

bool gives_whole_numbers(std::string_view op) {
  static const OpNames ops{
      "Shape", "Size", "Floor", "Ceil", "Round",       "Sign",    "ArgMax",         "ArgMin",  "Not",   "And",
      "Or",    "Xor",  "Equal", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "NonZero", "IsNaN", "IsInf"};
  return ops.contains(op);
}

bool passes_whole_numbers_on(std::string_view op) {
  static const OpNames ops{"Add",     "Sub",       "Mul",       "Sum",       "MatMul",    "Conv",  "Abs",
                           "Neg",     "Relu",      "Max",       "Min",       "Clip",      "Where", "CumSum",
                           "MaxPool", "ReduceSum", "ReduceMax", "ReduceMin", "ReduceProd"};
  return ops.contains(op);
}

bool computes(const onnx::NodeProto& node) {
  const std::string_view op = node.op_type();
  if (is_product(op) || is_sum(op) || is_recurrent(op) || is_function(op)) return true;
  if (!op.starts_with("Scatter")) return false;
  const auto* how = attribute_of(node, "reduction");
  return how != nullptr && (how->s() == "add" || how->s() == "mul");
}

bool is_arithmetic(std::string_view op) {
  static const OpNames ops{"Add",
                           "Sub",
                           "Mul",
                           "Div",
                           "Pow",
                           "Sqrt",
                           "Reciprocal",
                           "Cast",
                           "ReduceSum",
                           "ReduceMean",
                           "ReduceL1",
                           "ReduceL2",
                           "ReduceSumSquare",
                           "ReduceProd",
                           "AveragePool",
                           "GlobalAveragePool",
                           "LpPool",
                           "GlobalLpPool",
                           "CumSum",
                           "Sum",
                           "Mean",
                           "DequantizeLinear",
                           "Resize",
                           "Upsample",
                           "BatchNormalization",
                           "LinearRegressor",
                           "Scaler"};
  return is_product(op) || ops.contains(op) || op.starts_with("Scatter");
}

bool is_transform(std::string_view op) { return op == "DFT" || op == "STFT"; }

std::optional<DType> type_cast_to(const onnx::NodeProto& node) {
  if (node.op_type() != "Cast") return std::nullopt;
  const auto* to = attribute_of(node, "to");
  if (to == nullptr) return std::nullopt;
  return dtype_from_onnx(static_cast<std::int32_t>(to->i()));
}

bool casts_to_exact(const onnx::NodeProto& node) {
  const auto to = type_cast_to(node);
  return to && (is_integer(*to) || *to == DType::boolean || *to == DType::string);
}

bool casts_to_float(const onnx::NodeProto& node) {
  const auto to = type_cast_to(node);
  return to && is_nudgeable(*to);
}

}  // namespace culprit
