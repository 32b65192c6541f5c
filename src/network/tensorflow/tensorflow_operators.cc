#include "network/tensorflow/tensorflow_operators.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace culprit {
namespace {

using Words = std::pair<std::string_view, std::string_view>;
using enum TensorflowWord;

/// Of several that are the same to ONNX, the first is the one that computes it with nothing else being said.
constexpr std::array types_in_onnx{Words{"Abs", "Abs"},
                                   Words{"Acos", "Acos"},
                                   Words{"AddV2", "Add"},
                                   Words{"Add", "Add"},
                                   Words{"BiasAdd", "Add"},
                                   Words{"AddN", "Sum"},
                                   Words{"ArgMax", "ArgMax"},
                                   Words{"ArgMin", "ArgMin"},
                                   Words{"Asin", "Asin"},
                                   Words{"Atan", "Atan"},
                                   Words{"AvgPool", "AveragePool"},
                                   Words{"AvgPool3D", "AveragePool"},
                                   Words{"BatchMatMulV2", "MatMul"},
                                   Words{"BatchMatMul", "MatMul"},
                                   Words{"MatMul", "MatMul"},
                                   Words{"BroadcastTo", "Expand"},
                                   Words{"Cast", "Cast"},
                                   Words{"Ceil", "Ceil"},
                                   Words{"ClipByValue", "Clip"},
                                   Words{"Relu6", "Clip"},
                                   Words{"ConcatV2", "Concat"},
                                   Words{"Concat", "Concat"},
                                   Words{"Conv2D", "Conv"},
                                   Words{"Conv3D", "Conv"},
                                   Words{"DepthwiseConv2dNative", "Conv"},
                                   Words{"Conv2DBackpropInput", "ConvTranspose"},
                                   Words{"Conv3DBackpropInputV2", "ConvTranspose"},
                                   Words{"Cos", "Cos"},
                                   Words{"Cosh", "Cosh"},
                                   Words{"Cumsum", "CumSum"},
                                   Words{"DepthToSpace", "DepthToSpace"},
                                   Words{"RealDiv", "Div"},
                                   Words{"Div", "Div"},
                                   Words{"Einsum", "Einsum"},
                                   Words{"Elu", "Elu"},
                                   Words{"Equal", "Equal"},
                                   Words{"Erf", "Erf"},
                                   Words{"Exp", "Exp"},
                                   Words{"ExpandDims", "Unsqueeze"},
                                   Words{"Floor", "Floor"},
                                   Words{"FusedBatchNormV3", "BatchNormalization"},
                                   Words{"FusedBatchNormV2", "BatchNormalization"},
                                   Words{"FusedBatchNorm", "BatchNormalization"},
                                   Words{"GatherV2", "Gather"},
                                   Words{"Gather", "Gather"},
                                   Words{"GatherNd", "GatherND"},
                                   Words{"Greater", "Greater"},
                                   Words{"GreaterEqual", "GreaterOrEqual"},
                                   Words{"Identity", "Identity"},
                                   Words{"StopGradient", "Identity"},
                                   Words{"PreventGradient", "Identity"},
                                   Words{"Snapshot", "Identity"},
                                   Words{"CheckNumerics", "Identity"},
                                   Words{"EnsureShape", "Identity"},
                                   Words{"IsInf", "IsInf"},
                                   Words{"IsNan", "IsNaN"},
                                   Words{"LeakyRelu", "LeakyRelu"},
                                   Words{"Less", "Less"},
                                   Words{"LessEqual", "LessOrEqual"},
                                   Words{"Log", "Log"},
                                   Words{"LogSoftmax", "LogSoftmax"},
                                   Words{"LogicalAnd", "And"},
                                   Words{"LogicalNot", "Not"},
                                   Words{"LogicalOr", "Or"},
                                   Words{"Max", "ReduceMax"},
                                   Words{"MaxPool", "MaxPool"},
                                   Words{"MaxPool3D", "MaxPool"},
                                   Words{"Maximum", "Max"},
                                   Words{"Mean", "ReduceMean"},
                                   Words{"Min", "ReduceMin"},
                                   Words{"Minimum", "Min"},
                                   Words{"Mul", "Mul"},
                                   Words{"Neg", "Neg"},
                                   Words{"OneHot", "OneHot"},
                                   Words{"Pad", "Pad"},
                                   Words{"PadV2", "Pad"},
                                   Words{"MirrorPad", "Pad"},
                                   Words{"Pow", "Pow"},
                                   Words{"Prod", "ReduceProd"},
                                   Words{"Range", "Range"},
                                   Words{"Reciprocal", "Reciprocal"},
                                   Words{"Inv", "Reciprocal"},
                                   Words{"Relu", "Relu"},
                                   Words{"Reshape", "Reshape"},
                                   Words{"ResizeBilinear", "Resize"},
                                   Words{"ResizeNearestNeighbor", "Resize"},
                                   Words{"Round", "Round"},
                                   Words{"Rint", "Round"},
                                   Words{"Select", "Where"},
                                   Words{"SelectV2", "Where"},
                                   Words{"Selu", "Selu"},
                                   Words{"Shape", "Shape"},
                                   Words{"Sigmoid", "Sigmoid"},
                                   Words{"Sign", "Sign"},
                                   Words{"Sin", "Sin"},
                                   Words{"Sinh", "Sinh"},
                                   Words{"Size", "Size"},
                                   Words{"Slice", "Slice"},
                                   Words{"StridedSlice", "Slice"},
                                   Words{"Softmax", "Softmax"},
                                   Words{"Softplus", "Softplus"},
                                   Words{"Softsign", "Softsign"},
                                   Words{"SpaceToDepth", "SpaceToDepth"},
                                   Words{"Split", "Split"},
                                   Words{"SplitV", "Split"},
                                   Words{"Sqrt", "Sqrt"},
                                   Words{"Squeeze", "Squeeze"},
                                   Words{"Sub", "Sub"},
                                   Words{"Sum", "ReduceSum"},
                                   Words{"Tan", "Tan"},
                                   Words{"Tanh", "Tanh"},
                                   Words{"Tile", "Tile"},
                                   Words{"TopKV2", "TopK"},
                                   Words{"Transpose", "Transpose"},
                                   Words{"Where", "NonZero"}};

struct TensorflowInputRule {
  std::string_view operation;
  std::size_t at;
  InputRule input;  ///< no role: nothing is known of this one
};

constexpr InputRule told(std::string_view name) { return {name, "", true}; }

/// Only where the inputs are others than those of the operator of ONNX. Of ConcatV2 the last holds the axis.
constexpr std::array own_inputs{TensorflowInputRule{"Conv2D", 1, {"kernel", "HWIO"}},
                                TensorflowInputRule{"Conv3D", 1, {"kernel", "DHWIO"}},
                                TensorflowInputRule{"DepthwiseConv2dNative", 1, {"kernel", "HWCM"}},
                                TensorflowInputRule{"Conv2DBackpropInput", 0, told("output_shape")},
                                TensorflowInputRule{"Conv2DBackpropInput", 1, {"kernel", "HWOI"}},
                                TensorflowInputRule{"Conv2DBackpropInput", 2, {}},
                                TensorflowInputRule{"Conv3DBackpropInputV2", 0, told("output_shape")},
                                TensorflowInputRule{"Conv3DBackpropInputV2", 1, {"kernel", "DHWOI"}},
                                TensorflowInputRule{"Conv3DBackpropInputV2", 2, {}},
                                TensorflowInputRule{"BiasAdd", 1, {"bias", "O"}},
                                TensorflowInputRule{"Concat", 0, told("axis")},
                                TensorflowInputRule{"GatherV2", 2, told("axis")},
                                TensorflowInputRule{"Split", 0, told("axis")},
                                TensorflowInputRule{"Split", 1, {}},
                                TensorflowInputRule{"SplitV", 2, told("axis")},
                                TensorflowInputRule{"MirrorPad", 1, told("pads")},
                                TensorflowInputRule{"Slice", 2, told("size")},
                                TensorflowInputRule{"Slice", 3, {}},
                                TensorflowInputRule{"StridedSlice", 3, told("steps")},
                                TensorflowInputRule{"ResizeBilinear", 1, told("sizes")},
                                TensorflowInputRule{"ResizeNearestNeighbor", 1, told("sizes")},
                                TensorflowInputRule{"All", 1, told("axes")},
                                TensorflowInputRule{"Any", 1, told("axes")},
                                TensorflowInputRule{"ReverseV2", 1, told("axes")},
                                TensorflowInputRule{"Roll", 1, told("shift")},
                                TensorflowInputRule{"Roll", 2, told("axes")},
                                TensorflowInputRule{"Fill", 0, told("shape")},
                                TensorflowInputRule{"SpaceToBatchND", 1, told("block_shape")},
                                TensorflowInputRule{"SpaceToBatchND", 2, told("pads")},
                                TensorflowInputRule{"BatchToSpaceND", 1, told("block_shape")},
                                TensorflowInputRule{"BatchToSpaceND", 2, told("crops")}};
constexpr InputRule last_axis = told("axis");

struct OfOperator {
  std::string_view operation;
  TensorflowAttribute attribute;
};

/// Sources: the registrations of these operators in TensorFlow 2.21 (tensorflow/core/ops). Strides, windows and
/// paddings of what slides: below.
constexpr std::array own_attributes{OfOperator{"FusedBatchNormV3", {"epsilon", "epsilon", real, 1e-4}},
                                    OfOperator{"FusedBatchNormV3", {"is_training", "training_mode", integer, 1}},
                                    OfOperator{"FusedBatchNormV2", {"epsilon", "epsilon", real, 1e-4}},
                                    OfOperator{"FusedBatchNormV2", {"is_training", "training_mode", integer, 1}},
                                    OfOperator{"FusedBatchNorm", {"epsilon", "epsilon", real, 1e-4}},
                                    OfOperator{"FusedBatchNorm", {"is_training", "training_mode", integer, 1}},
                                    OfOperator{"LeakyRelu", {"alpha", "alpha", real, 0.2}},
                                    OfOperator{"MatMul", {"transpose_a", "transA", integer, 0}},
                                    OfOperator{"MatMul", {"transpose_b", "transB", integer, 0}},
                                    OfOperator{"BatchMatMul", {"adj_x", "transA", integer, 0}},
                                    OfOperator{"BatchMatMul", {"adj_y", "transB", integer, 0}},
                                    OfOperator{"BatchMatMulV2", {"adj_x", "transA", integer, 0}},
                                    OfOperator{"BatchMatMulV2", {"adj_y", "transB", integer, 0}},
                                    OfOperator{"Mean", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Sum", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Max", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Min", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Prod", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"All", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Any", {"keep_dims", "keepdims", integer, 0}},
                                    OfOperator{"Squeeze", {"squeeze_dims", "axes", integers}},
                                    OfOperator{"Gather", {"batch_dims", "batch_dims", integer, 0, true}},
                                    OfOperator{"GatherV2", {"batch_dims", "batch_dims", integer, 0, true}},
                                    OfOperator{"DepthToSpace", {"block_size", "blocksize", integer}},
                                    OfOperator{"SpaceToDepth", {"block_size", "blocksize", integer}},
                                    OfOperator{"Einsum", {"equation", "equation", word}},
                                    OfOperator{"Cast", {"DstT", "to", type}},
                                    OfOperator{"OneHot", {"axis", "axis", integer, -1}},
                                    OfOperator{"Cumsum", {"exclusive", "exclusive", integer, 0}},
                                    OfOperator{"Cumsum", {"reverse", "reverse", integer, 0}},
                                    OfOperator{"TopKV2", {"sorted", "sorted", integer, 1}},
                                    OfOperator{"Pack", {"axis", "axis", integer, 0}},
                                    OfOperator{"Unpack", {"axis", "axis", integer, 0}},
                                    OfOperator{"StridedSlice", {"begin_mask", "begin_mask", integer, 0, true}},
                                    OfOperator{"StridedSlice", {"end_mask", "end_mask", integer, 0, true}},
                                    OfOperator{"StridedSlice", {"ellipsis_mask", "ellipsis_mask", integer, 0, true}},
                                    OfOperator{"StridedSlice", {"new_axis_mask", "new_axis_mask", integer, 0, true}},
                                    OfOperator{"StridedSlice", {"shrink_axis_mask", "shrink_axis_mask", integer, 0, true}}};

constexpr std::array sliding{"Conv2D",  "Conv3D",  "DepthwiseConv2dNative", "Conv2DBackpropInput", "Conv3DBackpropInputV2",
                             "MaxPool", "AvgPool", "MaxPool3D",             "AvgPool3D"};
constexpr std::array with_window{"MaxPool", "AvgPool", "MaxPool3D", "AvgPool3D"};

template <std::size_t count>
bool is_among(const std::array<const char*, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

struct OutputsOf {
  std::string_view operation;
  TensorflowOutputs outputs;
};
/// Of normalizations only the first is of use when nobody trains.
constexpr std::array several_outputs{OutputsOf{"TopKV2", {2, "", ""}},
                                     OutputsOf{"Unique", {2, "", ""}},
                                     OutputsOf{"Switch", {2, "", ""}},
                                     OutputsOf{"Merge", {2, "", ""}},
                                     OutputsOf{"NoOp", {0, "", ""}},
                                     OutputsOf{"Assert", {0, "", ""}},
                                     OutputsOf{"Split", {1, "num_split", ""}},
                                     OutputsOf{"SplitV", {1, "num_split", ""}},
                                     OutputsOf{"Unpack", {1, "num", ""}},
                                     OutputsOf{"IdentityN", {1, "", "T"}},
                                     OutputsOf{"While", {1, "", "T"}},
                                     OutputsOf{"StatelessWhile", {1, "", "T"}},
                                     OutputsOf{"If", {1, "", "Tout"}},
                                     OutputsOf{"StatelessIf", {1, "", "Tout"}},
                                     OutputsOf{"PartitionedCall", {1, "", "Tout"}},
                                     OutputsOf{"StatefulPartitionedCall", {1, "", "Tout"}}};

}  // namespace

std::string_view onnx_type_of_tensorflow(std::string_view operation) {
  const auto* const found = std::ranges::find(types_in_onnx, operation, &Words::first);
  return found == types_in_onnx.end() ? operation : found->second;
}

std::string_view tensorflow_operator_of(std::string_view onnx_type) {
  const auto* const found = std::ranges::find(types_in_onnx, onnx_type, &Words::second);
  return found == types_in_onnx.end() ? "" : found->first;
}

const InputRule* tensorflow_input_rule(std::string_view operation, std::size_t at, std::size_t count) {
  if (operation == "ConcatV2") return at + 1 == count ? &last_axis : nullptr;
  const auto* const own = std::ranges::find_if(
      own_inputs, [&](const TensorflowInputRule& rule) { return rule.operation == operation && rule.at == at; });
  if (own != own_inputs.end()) return own->input.role.empty() ? nullptr : &own->input;
  return input_rule(onnx_type_of_tensorflow(operation), at);
}

std::optional<std::vector<TensorflowAttribute>> tensorflow_attributes(std::string_view operation) {
  std::vector<TensorflowAttribute> found;
  for (const OfOperator& own : own_attributes)
    if (own.operation == operation) found.push_back(own.attribute);
  if (slides_in_tensorflow(operation)) found.push_back({"strides", "strides", spatial});
  if (is_among(with_window, operation))
    found.push_back({"ksize", "kernel_shape", spatial});
  else if (slides_in_tensorflow(operation))
    found.push_back({"dilations", "dilations", spatial});
  const bool is_known = !found.empty() || onnx_type_of_tensorflow(operation) != operation ||
                        !tensorflow_operator_of(operation).empty();
  return is_known ? std::optional(found) : std::nullopt;
}

TensorflowOutputs tensorflow_outputs(std::string_view operation) {
  const auto* const found = std::ranges::find(several_outputs, operation, &OutputsOf::operation);
  return found == several_outputs.end() ? TensorflowOutputs{} : found->outputs;
}

bool slides_in_tensorflow(std::string_view operation) { return is_among(sliding, operation); }

bool is_tensorflow_alias(std::string_view operation) {
  return operation == "IdentityN" ||
         (onnx_type_of_tensorflow(operation) == "Identity" && operation != "EnsureShape" && operation != "CheckNumerics");
}

}  // namespace culprit
