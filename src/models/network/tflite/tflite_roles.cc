#include "network/tflite/tflite_roles.h"

#include <algorithm>
#include <array>
#include <utility>

namespace culprit {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

constexpr std::array option_types{Pair{"ABS", "Abs"},
                                  Pair{"ADD", "Add"},
                                  Pair{"ADD_N", "Sum"},
                                  Pair{"ARG_MAX", "ArgMax"},
                                  Pair{"ARG_MIN", "ArgMin"},
                                  Pair{"AVERAGE_POOL_2D", "AveragePool"},
                                  Pair{"BATCH_MATMUL", "MatMul"},
                                  Pair{"BROADCAST_TO", "Expand"},
                                  Pair{"CAST", "Cast"},
                                  Pair{"CEIL", "Ceil"},
                                  Pair{"CONCATENATION", "Concat"},
                                  Pair{"CONV_2D", "Conv"},
                                  Pair{"CONV_3D", "Conv"},
                                  Pair{"COS", "Cos"},
                                  Pair{"CUMSUM", "CumSum"},
                                  Pair{"DEPTHWISE_CONV_2D", "Conv"},
                                  Pair{"DEPTH_TO_SPACE", "DepthToSpace"},
                                  Pair{"DEQUANTIZE", "DequantizeLinear"},
                                  Pair{"DIV", "Div"},
                                  Pair{"ELU", "Elu"},
                                  Pair{"EMBEDDING_LOOKUP", "Gather"},
                                  Pair{"EQUAL", "Equal"},
                                  Pair{"EXP", "Exp"},
                                  Pair{"EXPAND_DIMS", "Unsqueeze"},
                                  Pair{"FLOOR", "Floor"},
                                  Pair{"FULLY_CONNECTED", "Gemm"},
                                  Pair{"GATHER", "Gather"},
                                  Pair{"GATHER_ND", "GatherND"},
                                  Pair{"GELU", "Gelu"},
                                  Pair{"GREATER", "Greater"},
                                  Pair{"GREATER_EQUAL", "GreaterOrEqual"},
                                  Pair{"HARD_SWISH", "HardSwish"},
                                  Pair{"L2_NORMALIZATION", "LpNormalization"},
                                  Pair{"LEAKY_RELU", "LeakyRelu"},
                                  Pair{"LESS", "Less"},
                                  Pair{"LESS_EQUAL", "LessOrEqual"},
                                  Pair{"LOCAL_RESPONSE_NORMALIZATION", "LRN"},
                                  Pair{"LOG", "Log"},
                                  Pair{"LOGICAL_AND", "And"},
                                  Pair{"LOGICAL_NOT", "Not"},
                                  Pair{"LOGICAL_OR", "Or"},
                                  Pair{"LOGISTIC", "Sigmoid"},
                                  Pair{"LOG_SOFTMAX", "LogSoftmax"},
                                  Pair{"MAXIMUM", "Max"},
                                  Pair{"MAX_POOL_2D", "MaxPool"},
                                  Pair{"MEAN", "ReduceMean"},
                                  Pair{"MINIMUM", "Min"},
                                  Pair{"MIRROR_PAD", "Pad"},
                                  Pair{"MUL", "Mul"},
                                  Pair{"NEG", "Neg"},
                                  Pair{"ONE_HOT", "OneHot"},
                                  Pair{"PAD", "Pad"},
                                  Pair{"PADV2", "Pad"},
                                  Pair{"POW", "Pow"},
                                  Pair{"PRELU", "PRelu"},
                                  Pair{"QUANTIZE", "QuantizeLinear"},
                                  Pair{"REDUCE_MAX", "ReduceMax"},
                                  Pair{"REDUCE_MIN", "ReduceMin"},
                                  Pair{"REDUCE_PROD", "ReduceProd"},
                                  Pair{"RELU", "Relu"},
                                  Pair{"RELU6", "Clip"},
                                  Pair{"RELU_0_TO_1", "Clip"},
                                  Pair{"RELU_N1_TO_1", "Clip"},
                                  Pair{"RESHAPE", "Reshape"},
                                  Pair{"RESIZE_BILINEAR", "Resize"},
                                  Pair{"RESIZE_NEAREST_NEIGHBOR", "Resize"},
                                  Pair{"ROUND", "Round"},
                                  Pair{"SELECT", "Where"},
                                  Pair{"SELECT_V2", "Where"},
                                  Pair{"SHAPE", "Shape"},
                                  Pair{"SIGN", "Sign"},
                                  Pair{"SIN", "Sin"},
                                  Pair{"SLICE", "Slice"},
                                  Pair{"SOFTMAX", "Softmax"},
                                  Pair{"SPACE_TO_DEPTH", "SpaceToDepth"},
                                  Pair{"SPLIT", "Split"},
                                  Pair{"SPLIT_V", "Split"},
                                  Pair{"SQRT", "Sqrt"},
                                  Pair{"SQUEEZE", "Squeeze"},
                                  Pair{"STRIDED_SLICE", "Slice"},
                                  Pair{"SUB", "Sub"},
                                  Pair{"SUM", "ReduceSum"},
                                  Pair{"TANH", "Tanh"},
                                  Pair{"TILE", "Tile"},
                                  Pair{"TOPK_V2", "TopK"},
                                  Pair{"TRANSPOSE", "Transpose"},
                                  Pair{"TRANSPOSE_CONV", "ConvTranspose"},
                                  Pair{"UNIDIRECTIONAL_SEQUENCE_LSTM", "LSTM"},
                                  Pair{"UNIDIRECTIONAL_SEQUENCE_RNN", "RNN"},
                                  Pair{"WHERE", "NonZero"},
                                  Pair{"WHILE", "Loop"}};

struct TfliteInputRule {
  std::string_view name;
  std::size_t at;
  InputRule input;
};

/// Only where the inputs are others than those of the operator of ONNX.
constexpr std::array rules{TfliteInputRule{"CONV_2D", 1, {"kernel", "OHWI"}},
                           TfliteInputRule{"CONV_3D", 1, {"kernel", "DHWIO"}},
                           TfliteInputRule{"DEPTHWISE_CONV_2D", 1, {"kernel", "1HWO"}},
                           TfliteInputRule{"TRANSPOSE_CONV", 0, {"output_shape", "", true}},
                           TfliteInputRule{"TRANSPOSE_CONV", 1, {"kernel", "OHWI"}},
                           TfliteInputRule{"TRANSPOSE_CONV", 2, {}},
                           TfliteInputRule{"TRANSPOSE_CONV", 3, {"bias", "O"}},
                           TfliteInputRule{"FULLY_CONNECTED", 0, {}},
                           TfliteInputRule{"FULLY_CONNECTED", 1, {"kernel", "OI"}},
                           TfliteInputRule{"EMBEDDING_LOOKUP", 0, {}},
                           TfliteInputRule{"EMBEDDING_LOOKUP", 1, {"table", ""}},
                           TfliteInputRule{"SPLIT", 0, {"axis", "", true}},
                           TfliteInputRule{"SPLIT", 1, {}},
                           TfliteInputRule{"SPLIT_V", 2, {"axis", "", true}},
                           TfliteInputRule{"SLICE", 2, {"size", "", true}},
                           TfliteInputRule{"STRIDED_SLICE", 3, {"steps", "", true}},
                           TfliteInputRule{"RESIZE_BILINEAR", 1, {"sizes", "", true}},
                           TfliteInputRule{"RESIZE_NEAREST_NEIGHBOR", 1, {"sizes", "", true}},
                           TfliteInputRule{"SPACE_TO_BATCH_ND", 1, {"block_shape", "", true}},
                           TfliteInputRule{"SPACE_TO_BATCH_ND", 2, {"pads", "", true}},
                           TfliteInputRule{"BATCH_TO_SPACE_ND", 1, {"block_shape", "", true}},
                           TfliteInputRule{"BATCH_TO_SPACE_ND", 2, {"crops", "", true}},
                           TfliteInputRule{"FILL", 0, {"shape", "", true}}};

constexpr std::array hypers{Pair{"keep_dims", "keepdims"}, Pair{"block_size", "blocksize"},
                            Pair{"batch_dims", "batch_dims"}, Pair{"squeeze_dims", "axes"},
                            Pair{"align_corners", "align_corners"}};

/// The plainest of several that are one operator of ONNX; "" where its hyper-parameters say which.
constexpr std::array plainest{Pair{"Clip", ""},           Pair{"Conv", "CONV_2D"}, Pair{"Gather", "GATHER"},
                              Pair{"Pad", "PAD"},         Pair{"Slice", "SLICE"},  Pair{"Split", "SPLIT"},
                              Pair{"Where", "SELECT_V2"}, Pair{"Loop", ""},        Pair{"Resize", "RESIZE_BILINEAR"}};

}  // namespace

std::string_view onnx_type_of(std::string_view tflite_operator) {
  const auto found = std::ranges::find(option_types, tflite_operator, &Pair::first);
  return found == option_types.end() ? tflite_operator : found->second;
}

const InputRule* tflite_input_rule(std::string_view tflite_operator, std::size_t at) {
  const auto own = std::ranges::find_if(
      rules, [&](const TfliteInputRule& rule) { return rule.name == tflite_operator && rule.at == at; });
  if (own != rules.end()) return own->input.role.empty() ? nullptr : &own->input;
  return input_rule(onnx_type_of(tflite_operator), at);
}

std::string_view onnx_hyper_of(std::string_view option) {
  const auto found = std::ranges::find(hypers, option, &Pair::first);
  return found == hypers.end() ? option : found->second;
}

std::string_view tflite_operator_of(std::string_view onnx_type) {
  if (const auto found = std::ranges::find(plainest, onnx_type, &Pair::first); found != plainest.end())
    return found->second;
  const auto found = std::ranges::find(option_types, onnx_type, &Pair::second);
  return found == option_types.end() ? "" : found->first;
}

}  // namespace culprit
