#include "network/operator_rule.h"

#include <algorithm>
#include <array>
#include <string>

namespace culprit {
namespace {

struct OnnxInputRule {
  std::string_view type;
  std::size_t at;
  InputRule input;
};

constexpr InputRule hyper(std::string_view name) { return {name, "", true}; }

/// Sources: the operators' own pages in ONNX, opset 22.
constexpr std::array parameter_rules{OnnxInputRule{"Conv", 1, {"kernel", "OIHW"}},
                                     OnnxInputRule{"Conv", 2, {"bias", "O"}},
                                     OnnxInputRule{"ConvTranspose", 1, {"kernel", "IOHW"}},
                                     OnnxInputRule{"ConvTranspose", 2, {"bias", "O"}},
                                     OnnxInputRule{"ConvInteger", 1, {"kernel", "OIHW"}},
                                     OnnxInputRule{"QLinearConv", 3, {"kernel", "OIHW"}},
                                     OnnxInputRule{"QLinearConv", 8, {"bias", "O"}},
                                     OnnxInputRule{"Gemm", 0, {"kernel", ""}},
                                     OnnxInputRule{"Gemm", 1, {"kernel", "IO"}},
                                     OnnxInputRule{"Gemm", 2, {"bias", "O"}},
                                     OnnxInputRule{"MatMul", 0, {"kernel", ""}},
                                     OnnxInputRule{"MatMul", 1, {"kernel", "IO"}},
                                     OnnxInputRule{"MatMulInteger", 1, {"kernel", "IO"}},
                                     OnnxInputRule{"QLinearMatMul", 3, {"kernel", "IO"}},
                                     OnnxInputRule{"BatchNormalization", 1, {"scale", "C"}},
                                     OnnxInputRule{"BatchNormalization", 2, {"bias", "C"}},
                                     OnnxInputRule{"BatchNormalization", 3, {"mean", "C"}},
                                     OnnxInputRule{"BatchNormalization", 4, {"variance", "C"}},
                                     OnnxInputRule{"InstanceNormalization", 1, {"scale", "C"}},
                                     OnnxInputRule{"InstanceNormalization", 2, {"bias", "C"}},
                                     OnnxInputRule{"GroupNormalization", 1, {"scale", "C"}},
                                     OnnxInputRule{"GroupNormalization", 2, {"bias", "C"}},
                                     OnnxInputRule{"LayerNormalization", 1, {"scale", ""}},
                                     OnnxInputRule{"LayerNormalization", 2, {"bias", ""}},
                                     OnnxInputRule{"PRelu", 1, {"slope", ""}},
                                     OnnxInputRule{"LSTM", 1, {"kernel", ""}},
                                     OnnxInputRule{"LSTM", 2, {"recurrence", ""}},
                                     OnnxInputRule{"LSTM", 3, {"bias", ""}},
                                     OnnxInputRule{"LSTM", 7, {"peephole", ""}},
                                     OnnxInputRule{"GRU", 1, {"kernel", ""}},
                                     OnnxInputRule{"GRU", 2, {"recurrence", ""}},
                                     OnnxInputRule{"GRU", 3, {"bias", ""}},
                                     OnnxInputRule{"RNN", 1, {"kernel", ""}},
                                     OnnxInputRule{"RNN", 2, {"recurrence", ""}},
                                     OnnxInputRule{"RNN", 3, {"bias", ""}},
                                     OnnxInputRule{"Gather", 0, {"table", ""}},
                                     OnnxInputRule{"QuantizeLinear", 1, {"scale", ""}},
                                     OnnxInputRule{"QuantizeLinear", 2, {"zero_point", ""}},
                                     OnnxInputRule{"DequantizeLinear", 0, {"stored", ""}},
                                     OnnxInputRule{"DequantizeLinear", 1, {"scale", ""}},
                                     OnnxInputRule{"DequantizeLinear", 2, {"zero_point", ""}}};

/// Attributes in older versions, or in other formats.
constexpr std::array hyper_rules{
    OnnxInputRule{"Reshape", 1, hyper("shape")},
    OnnxInputRule{"Expand", 1, hyper("shape")},
    OnnxInputRule{"Tile", 1, hyper("repeats")},
    OnnxInputRule{"Pad", 1, hyper("pads")},
    OnnxInputRule{"Pad", 2, hyper("value")},
    OnnxInputRule{"Pad", 3, hyper("axes")},
    OnnxInputRule{"Slice", 1, hyper("starts")},
    OnnxInputRule{"Slice", 2, hyper("ends")},
    OnnxInputRule{"Slice", 3, hyper("axes")},
    OnnxInputRule{"Slice", 4, hyper("steps")},
    OnnxInputRule{"Squeeze", 1, hyper("axes")},
    OnnxInputRule{"Unsqueeze", 1, hyper("axes")},
    OnnxInputRule{"ReduceMean", 1, hyper("axes")},
    OnnxInputRule{"ReduceSum", 1, hyper("axes")},
    OnnxInputRule{"ReduceMax", 1, hyper("axes")},
    OnnxInputRule{"ReduceMin", 1, hyper("axes")},
    OnnxInputRule{"ReduceProd", 1, hyper("axes")},
    OnnxInputRule{"ReduceL1", 1, hyper("axes")},
    OnnxInputRule{"ReduceL2", 1, hyper("axes")},
    OnnxInputRule{"ReduceLogSum", 1, hyper("axes")},
    OnnxInputRule{"ReduceLogSumExp", 1, hyper("axes")},
    OnnxInputRule{"ReduceSumSquare", 1, hyper("axes")},
    OnnxInputRule{"Clip", 1, hyper("min")},
    OnnxInputRule{"Clip", 2, hyper("max")},
    OnnxInputRule{"Split", 1, hyper("split")},
    OnnxInputRule{"TopK", 1, hyper("k")},
    OnnxInputRule{"OneHot", 1, hyper("depth")},
    OnnxInputRule{"CumSum", 1, hyper("axis")},
    OnnxInputRule{"Resize", 2, hyper("scales")},
    OnnxInputRule{"Resize", 3, hyper("sizes")},
    OnnxInputRule{"Upsample", 1, hyper("scales")},
    OnnxInputRule{"ConstantOfShape", 0, hyper("shape")},
    OnnxInputRule{"Transpose", 1, hyper("perm")},  // of formats where it is an input
    OnnxInputRule{"ArgMax", 1, hyper("axis")},     // likewise
    OnnxInputRule{"ArgMin", 1, hyper("axis")},     // likewise
};

constexpr std::array of_channels{
    "Conv",          "ConvTranspose",         "MaxPool",      "AveragePool",        "GlobalAveragePool",
    "GlobalMaxPool", "DepthToSpace",          "SpaceToDepth", "BatchNormalization", "QLinearConv",
    "ConvInteger",   "InstanceNormalization", "Resize",       "GroupNormalization", "LRN"};

}  // namespace

const InputRule* input_rule(std::string_view onnx_type, std::size_t at) {
  const auto is_it = [&](const OnnxInputRule& rule) { return rule.type == onnx_type && rule.at == at; };
  if (const auto* found = std::ranges::find_if(parameter_rules, is_it); found != parameter_rules.end())
    return &found->input;
  const auto* const found = std::ranges::find_if(hyper_rules, is_it);
  return found == hyper_rules.end() ? nullptr : &found->input;
}

bool knows_channels(std::string_view onnx_type) {
  return std::ranges::find(of_channels, onnx_type) != of_channels.end();
}

}  // namespace culprit
