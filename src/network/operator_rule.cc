#include "network/operator_rule.h"

#include <algorithm>
#include <array>
#include <string>

namespace culprit {
namespace {

struct Rule {
  std::string_view type;
  std::size_t at;
  InputRule input;
};

constexpr InputRule hyper(std::string_view name) { return {name, "", true}; }

/// Sources: the operators' own pages in ONNX, opset 22.
constexpr std::array parameter_rules{Rule{"Conv", 1, {"kernel", "OIHW"}},
                                     Rule{"Conv", 2, {"bias", "O"}},
                                     Rule{"ConvTranspose", 1, {"kernel", "IOHW"}},
                                     Rule{"ConvTranspose", 2, {"bias", "O"}},
                                     Rule{"ConvInteger", 1, {"kernel", "OIHW"}},
                                     Rule{"QLinearConv", 3, {"kernel", "OIHW"}},
                                     Rule{"QLinearConv", 8, {"bias", "O"}},
                                     Rule{"Gemm", 0, {"kernel", ""}},
                                     Rule{"Gemm", 1, {"kernel", "IO"}},
                                     Rule{"Gemm", 2, {"bias", "O"}},
                                     Rule{"MatMul", 0, {"kernel", ""}},
                                     Rule{"MatMul", 1, {"kernel", "IO"}},
                                     Rule{"MatMulInteger", 1, {"kernel", "IO"}},
                                     Rule{"QLinearMatMul", 3, {"kernel", "IO"}},
                                     Rule{"BatchNormalization", 1, {"scale", "C"}},
                                     Rule{"BatchNormalization", 2, {"bias", "C"}},
                                     Rule{"BatchNormalization", 3, {"mean", "C"}},
                                     Rule{"BatchNormalization", 4, {"variance", "C"}},
                                     Rule{"InstanceNormalization", 1, {"scale", "C"}},
                                     Rule{"InstanceNormalization", 2, {"bias", "C"}},
                                     Rule{"GroupNormalization", 1, {"scale", "C"}},
                                     Rule{"GroupNormalization", 2, {"bias", "C"}},
                                     Rule{"LayerNormalization", 1, {"scale", ""}},
                                     Rule{"LayerNormalization", 2, {"bias", ""}},
                                     Rule{"PRelu", 1, {"slope", ""}},
                                     Rule{"LSTM", 1, {"kernel", ""}},
                                     Rule{"LSTM", 2, {"recurrence", ""}},
                                     Rule{"LSTM", 3, {"bias", ""}},
                                     Rule{"LSTM", 7, {"peephole", ""}},
                                     Rule{"GRU", 1, {"kernel", ""}},
                                     Rule{"GRU", 2, {"recurrence", ""}},
                                     Rule{"GRU", 3, {"bias", ""}},
                                     Rule{"RNN", 1, {"kernel", ""}},
                                     Rule{"RNN", 2, {"recurrence", ""}},
                                     Rule{"RNN", 3, {"bias", ""}},
                                     Rule{"Gather", 0, {"table", ""}},
                                     Rule{"QuantizeLinear", 1, {"scale", ""}},
                                     Rule{"QuantizeLinear", 2, {"zero_point", ""}},
                                     Rule{"DequantizeLinear", 0, {"stored", ""}},
                                     Rule{"DequantizeLinear", 1, {"scale", ""}},
                                     Rule{"DequantizeLinear", 2, {"zero_point", ""}}};

/// Attributes in older versions, or in other formats.
constexpr std::array hyper_rules{
    Rule{"Reshape", 1, hyper("shape")},
    Rule{"Expand", 1, hyper("shape")},
    Rule{"Tile", 1, hyper("repeats")},
    Rule{"Pad", 1, hyper("pads")},
    Rule{"Pad", 2, hyper("value")},
    Rule{"Pad", 3, hyper("axes")},
    Rule{"Slice", 1, hyper("starts")},
    Rule{"Slice", 2, hyper("ends")},
    Rule{"Slice", 3, hyper("axes")},
    Rule{"Slice", 4, hyper("steps")},
    Rule{"Squeeze", 1, hyper("axes")},
    Rule{"Unsqueeze", 1, hyper("axes")},
    Rule{"ReduceMean", 1, hyper("axes")},
    Rule{"ReduceSum", 1, hyper("axes")},
    Rule{"ReduceMax", 1, hyper("axes")},
    Rule{"ReduceMin", 1, hyper("axes")},
    Rule{"ReduceProd", 1, hyper("axes")},
    Rule{"ReduceL1", 1, hyper("axes")},
    Rule{"ReduceL2", 1, hyper("axes")},
    Rule{"ReduceLogSum", 1, hyper("axes")},
    Rule{"ReduceLogSumExp", 1, hyper("axes")},
    Rule{"ReduceSumSquare", 1, hyper("axes")},
    Rule{"Clip", 1, hyper("min")},
    Rule{"Clip", 2, hyper("max")},
    Rule{"Split", 1, hyper("split")},
    Rule{"TopK", 1, hyper("k")},
    Rule{"OneHot", 1, hyper("depth")},
    Rule{"CumSum", 1, hyper("axis")},
    Rule{"Resize", 2, hyper("scales")},
    Rule{"Resize", 3, hyper("sizes")},
    Rule{"Upsample", 1, hyper("scales")},
    Rule{"ConstantOfShape", 0, hyper("shape")},
    Rule{"Transpose", 1, hyper("perm")},  // of formats where it is an input
    Rule{"ArgMax", 1, hyper("axis")},     // likewise
    Rule{"ArgMin", 1, hyper("axis")},     // likewise
};

constexpr std::array of_channels{
    "Conv",          "ConvTranspose",         "MaxPool",      "AveragePool",        "GlobalAveragePool",
    "GlobalMaxPool", "DepthToSpace",          "SpaceToDepth", "BatchNormalization", "QLinearConv",
    "ConvInteger",   "InstanceNormalization", "Resize",       "GroupNormalization", "LRN"};

}  // namespace

const InputRule* input_rule(std::string_view onnx_type, std::size_t at) {
  const auto is_it = [&](const Rule& rule) { return rule.type == onnx_type && rule.at == at; };
  if (const auto* found = std::ranges::find_if(parameter_rules, is_it); found != parameter_rules.end())
    return &found->input;
  const auto* const found = std::ranges::find_if(hyper_rules, is_it);
  return found == hyper_rules.end() ? nullptr : &found->input;
}

bool knows_channels(std::string_view onnx_type) {
  return std::ranges::find(of_channels, onnx_type) != of_channels.end();
}

}  // namespace culprit
