#include "network/tensorflow/tensorflow_operators.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

namespace culprit {
namespace {

using NameInOnnx = std::pair<std::string_view, std::string_view>;
using enum TensorflowWord;

/// The first of several operators for which ONNX has one word is the one that computes it with nothing else being said.
constexpr std::array types_in_onnx{NameInOnnx{"Abs", "Abs"},
                                   NameInOnnx{"Acos", "Acos"},
                                   NameInOnnx{"AddV2", "Add"},
                                   NameInOnnx{"Add", "Add"},
                                   NameInOnnx{"BiasAdd", "Add"},
                                   NameInOnnx{"AddN", "Sum"},
                                   NameInOnnx{"ArgMax", "ArgMax"},
                                   NameInOnnx{"ArgMin", "ArgMin"},
                                   NameInOnnx{"Asin", "Asin"},
                                   NameInOnnx{"Atan", "Atan"},
                                   NameInOnnx{"AvgPool", "AveragePool"},
                                   NameInOnnx{"AvgPool3D", "AveragePool"},
                                   NameInOnnx{"BatchMatMulV2", "MatMul"},
                                   NameInOnnx{"BatchMatMul", "MatMul"},
                                   NameInOnnx{"MatMul", "MatMul"},
                                   NameInOnnx{"BroadcastTo", "Expand"},
                                   NameInOnnx{"Cast", "Cast"},
                                   NameInOnnx{"Ceil", "Ceil"},
                                   NameInOnnx{"ClipByValue", "Clip"},
                                   NameInOnnx{"Relu6", "Clip"},
                                   NameInOnnx{"ConcatV2", "Concat"},
                                   NameInOnnx{"Concat", "Concat"},
                                   NameInOnnx{"Conv2D", "Conv"},
                                   NameInOnnx{"Conv3D", "Conv"},
                                   NameInOnnx{"DepthwiseConv2dNative", "Conv"},
                                   NameInOnnx{"Conv2DBackpropInput", "ConvTranspose"},
                                   NameInOnnx{"Conv3DBackpropInputV2", "ConvTranspose"},
                                   NameInOnnx{"Cos", "Cos"},
                                   NameInOnnx{"Cosh", "Cosh"},
                                   NameInOnnx{"Cumsum", "CumSum"},
                                   NameInOnnx{"DepthToSpace", "DepthToSpace"},
                                   NameInOnnx{"RealDiv", "Div"},
                                   NameInOnnx{"Div", "Div"},
                                   NameInOnnx{"Einsum", "Einsum"},
                                   NameInOnnx{"Elu", "Elu"},
                                   NameInOnnx{"Equal", "Equal"},
                                   NameInOnnx{"Erf", "Erf"},
                                   NameInOnnx{"Exp", "Exp"},
                                   NameInOnnx{"ExpandDims", "Unsqueeze"},
                                   NameInOnnx{"Floor", "Floor"},
                                   NameInOnnx{"FusedBatchNormV3", "BatchNormalization"},
                                   NameInOnnx{"FusedBatchNormV2", "BatchNormalization"},
                                   NameInOnnx{"FusedBatchNorm", "BatchNormalization"},
                                   NameInOnnx{"GatherV2", "Gather"},
                                   NameInOnnx{"Gather", "Gather"},
                                   NameInOnnx{"GatherNd", "GatherND"},
                                   NameInOnnx{"Greater", "Greater"},
                                   NameInOnnx{"GreaterEqual", "GreaterOrEqual"},
                                   NameInOnnx{"Identity", "Identity"},
                                   NameInOnnx{"StopGradient", "Identity"},
                                   NameInOnnx{"PreventGradient", "Identity"},
                                   NameInOnnx{"Snapshot", "Identity"},
                                   NameInOnnx{"CheckNumerics", "Identity"},
                                   NameInOnnx{"EnsureShape", "Identity"},
                                   NameInOnnx{"IsInf", "IsInf"},
                                   NameInOnnx{"IsNan", "IsNaN"},
                                   NameInOnnx{"LeakyRelu", "LeakyRelu"},
                                   NameInOnnx{"Less", "Less"},
                                   NameInOnnx{"LessEqual", "LessOrEqual"},
                                   NameInOnnx{"Log", "Log"},
                                   NameInOnnx{"LogSoftmax", "LogSoftmax"},
                                   NameInOnnx{"LogicalAnd", "And"},
                                   NameInOnnx{"LogicalNot", "Not"},
                                   NameInOnnx{"LogicalOr", "Or"},
                                   NameInOnnx{"Max", "ReduceMax"},
                                   NameInOnnx{"MaxPool", "MaxPool"},
                                   NameInOnnx{"MaxPool3D", "MaxPool"},
                                   NameInOnnx{"Maximum", "Max"},
                                   NameInOnnx{"Mean", "ReduceMean"},
                                   NameInOnnx{"Min", "ReduceMin"},
                                   NameInOnnx{"Minimum", "Min"},
                                   NameInOnnx{"Mul", "Mul"},
                                   NameInOnnx{"Neg", "Neg"},
                                   NameInOnnx{"OneHot", "OneHot"},
                                   NameInOnnx{"Pad", "Pad"},
                                   NameInOnnx{"PadV2", "Pad"},
                                   NameInOnnx{"MirrorPad", "Pad"},
                                   NameInOnnx{"Pow", "Pow"},
                                   NameInOnnx{"Prod", "ReduceProd"},
                                   NameInOnnx{"Range", "Range"},
                                   NameInOnnx{"Reciprocal", "Reciprocal"},
                                   NameInOnnx{"Inv", "Reciprocal"},
                                   NameInOnnx{"Relu", "Relu"},
                                   NameInOnnx{"Reshape", "Reshape"},
                                   NameInOnnx{"ResizeBilinear", "Resize"},
                                   NameInOnnx{"ResizeNearestNeighbor", "Resize"},
                                   NameInOnnx{"Round", "Round"},
                                   NameInOnnx{"Rint", "Round"},
                                   NameInOnnx{"Select", "Where"},
                                   NameInOnnx{"SelectV2", "Where"},
                                   NameInOnnx{"Selu", "Selu"},
                                   NameInOnnx{"Shape", "Shape"},
                                   NameInOnnx{"Sigmoid", "Sigmoid"},
                                   NameInOnnx{"Sign", "Sign"},
                                   NameInOnnx{"Sin", "Sin"},
                                   NameInOnnx{"Sinh", "Sinh"},
                                   NameInOnnx{"Size", "Size"},
                                   NameInOnnx{"Slice", "Slice"},
                                   NameInOnnx{"StridedSlice", "Slice"},
                                   NameInOnnx{"Softmax", "Softmax"},
                                   NameInOnnx{"Softplus", "Softplus"},
                                   NameInOnnx{"Softsign", "Softsign"},
                                   NameInOnnx{"SpaceToDepth", "SpaceToDepth"},
                                   NameInOnnx{"Split", "Split"},
                                   NameInOnnx{"SplitV", "Split"},
                                   NameInOnnx{"Sqrt", "Sqrt"},
                                   NameInOnnx{"Squeeze", "Squeeze"},
                                   NameInOnnx{"Sub", "Sub"},
                                   NameInOnnx{"Sum", "ReduceSum"},
                                   NameInOnnx{"Tan", "Tan"},
                                   NameInOnnx{"Tanh", "Tanh"},
                                   NameInOnnx{"Tile", "Tile"},
                                   NameInOnnx{"TopKV2", "TopK"},
                                   NameInOnnx{"Transpose", "Transpose"},
                                   NameInOnnx{"Where", "NonZero"}};

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
constexpr std::array own_attributes{
    OfOperator{"LeakyRelu", {"alpha", "alpha", real, 0.2}},
    OfOperator{"MatMul", {"transpose_a", "transA", flag, 0}},
    OfOperator{"MatMul", {"transpose_b", "transB", flag, 0}},
    OfOperator{"BatchMatMul", {"adj_x", "transA", flag, 0}},
    OfOperator{"BatchMatMul", {"adj_y", "transB", flag, 0}},
    OfOperator{"BatchMatMulV2", {"adj_x", "transA", flag, 0}},
    OfOperator{"BatchMatMulV2", {"adj_y", "transB", flag, 0}},
    OfOperator{"Squeeze", {"squeeze_dims", "axes", integers}},
    OfOperator{"Gather", {"batch_dims", "batch_dims", integer, 0, true}},
    OfOperator{"GatherV2", {"batch_dims", "batch_dims", integer, 0, true}},
    OfOperator{"DepthToSpace", {"block_size", "blocksize", integer}},
    OfOperator{"SpaceToDepth", {"block_size", "blocksize", integer}},
    OfOperator{"Einsum", {"equation", "equation", word}},
    OfOperator{"Cast", {"DstT", "to", type}},
    OfOperator{"OneHot", {"axis", "axis", integer, -1}},
    OfOperator{"Cumsum", {"exclusive", "exclusive", flag, 0}},
    OfOperator{"Cumsum", {"reverse", "reverse", flag, 0}},
    OfOperator{"TopKV2", {"sorted", "sorted", flag, 1}},
    OfOperator{"Pack", {"axis", "axis", integer, 0}},
    OfOperator{"Unpack", {"axis", "axis", integer, 0}},
    OfOperator{"StridedSlice", {"begin_mask", "begin_mask", integer, 0, true}},
    OfOperator{"StridedSlice", {"end_mask", "end_mask", integer, 0, true}},
    OfOperator{"StridedSlice", {"ellipsis_mask", "ellipsis_mask", integer, 0, true}},
    OfOperator{"StridedSlice", {"new_axis_mask", "new_axis_mask", integer, 0, true}},
    OfOperator{"StridedSlice", {"shrink_axis_mask", "shrink_axis_mask", integer, 0, true}}};

constexpr std::array sliding{"Conv2D",
                             "Conv3D",
                             "DepthwiseConv2dNative",
                             "Conv2DBackpropInput",
                             "Conv3DBackpropInputV2",
                             "MaxPool",
                             "AvgPool",
                             "MaxPool3D",
                             "AvgPool3D"};
constexpr std::array with_window{"MaxPool", "AvgPool", "MaxPool3D", "AvgPool3D"};

constexpr std::array reducing{"Mean", "Sum", "Max", "Min", "Prod", "All", "Any"};
constexpr std::array normalizing{"FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3"};

template <std::size_t count>
bool is_among(const std::array<const char*, count>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

struct OutputsOf {
  std::string_view operation;
  TensorflowOutputs outputs;
};
/// A normalization has several results, of which only the first is of use when nobody trains.
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
  const auto* const found = std::ranges::find(types_in_onnx, operation, &NameInOnnx::first);
  return found == types_in_onnx.end() ? operation : found->second;
}

std::string_view tensorflow_operator_of(std::string_view onnx_type) {
  const auto* const found = std::ranges::find(types_in_onnx, onnx_type, &NameInOnnx::second);
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
  if (is_among(reducing, operation)) found.push_back({"keep_dims", "keepdims", flag, 0});
  if (is_among(normalizing, operation)) {
    found.push_back({"epsilon", "epsilon", real, 1e-4});
    found.push_back({"is_training", "training_mode", flag, 1});
  }
  if (slides_in_tensorflow(operation)) found.push_back({"strides", "strides", spatial});
  if (is_among(with_window, operation))
    found.push_back({"ksize", "kernel_shape", spatial});
  else if (slides_in_tensorflow(operation))
    found.push_back({"dilations", "dilations", spatial});
  const bool is_known =
      !found.empty() || onnx_type_of_tensorflow(operation) != operation || !tensorflow_operator_of(operation).empty();
  return is_known ? std::optional(found) : std::nullopt;
}

TensorflowOutputs tensorflow_outputs(std::string_view operation) {
  const auto* const found = std::ranges::find(several_outputs, operation, &OutputsOf::operation);
  return found == several_outputs.end() ? TensorflowOutputs{} : found->outputs;
}

bool slides_in_tensorflow(std::string_view operation) { return is_among(sliding, operation); }

bool is_tensorflow_alias(std::string_view operation) {
  return operation == "IdentityN" || (onnx_type_of_tensorflow(operation) == "Identity" && operation != "EnsureShape" &&
                                      operation != "CheckNumerics");
}

}  // namespace culprit
