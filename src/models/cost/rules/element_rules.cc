// Element by element: one FLOP for each element that comes out, whatever function it is (Exp as well as Add); there is
// no other number that holds on all machines. What is fused counts what it was fused of.

#include <span>

#include "cost/rules/rule.h"

namespace culprit::rules {
namespace {

double nothing(const TypedNode&) { return 0; }

template <int each>
double each_output(const TypedNode& node) {
  return each * out(node).count();
}
template <int each>
double each_input(const TypedNode& node) {
  return each * in(node, 0).count();
}

/// A chain of n operands takes n - 1 for each element.
double chain(const TypedNode& node) { return (static_cast<double>(node.inputs.size()) - 1) * out(node).count(); }
double mean(const TypedNode& node) { return static_cast<double>(node.inputs.size()) * out(node).count(); }

/// Each operand is made a float (2), the result is made an integer (2).
double quantized_pair(const TypedNode& node) {
  return 2 * in(node, 0).count() + 2 * in(node, 3).count() + 3 * out(node).count();
}

double quantized_where(const TypedNode& node) {
  return 2 * in(node, 1).count() + 2 * in(node, 4).count() + 3 * out(node).count();
}
double quantized_mean(const TypedNode& node) { return 3 * in(node, 0).count() + 2 * out(node).count(); }

/// x / sqrt(2), erf, + 1, * x, * 0.5; or the eight of the approximation by tanh.
double gelu(const TypedNode& node) { return (text(node, "approximate", "none") == "tanh" ? 8 : 5) * out(node).count(); }
double fast_gelu(const TypedNode& node) { return (has(node, 1) ? 9 : 8) * out(node).count(); }

/// Updates that are added up; those that only take a place are moved.
double scatter(const TypedNode& node) { return text(node, "reduction", "none") == "none" ? 0 : in(node, 2).count(); }

using Op = std::string_view;
constexpr Op moves[] = {"Reshape",
                        "Identity",
                        "Squeeze",
                        "Unsqueeze",
                        "Flatten",
                        "Dropout",
                        "Transpose",
                        "Concat",
                        "Split",
                        "Slice",
                        "Gather",
                        "GatherElements",
                        "GatherND",
                        "Expand",
                        "Tile",
                        "Pad",
                        "Shape",
                        "Size",
                        "Cast",
                        "CastLike",
                        "Constant",
                        "ConstantOfShape",
                        "DepthToSpace",
                        "SpaceToDepth",
                        "OneHot",
                        "EyeLike",
                        "ReverseSequence",
                        "Trilu",
                        "Crop",
                        "CenterCropPad",
                        "Compress",
                        "MemcpyFromHost",
                        "MemcpyToHost",
                        "com.microsoft.nchwc.ReorderInput",
                        "com.microsoft.nchwc.ReorderOutput"};
constexpr Op one_for_each[] = {"Add",
                               "Sub",
                               "Mul",
                               "Div",
                               "Pow",
                               "Mod",
                               "And",
                               "Or",
                               "Xor",
                               "Not",
                               "Equal",
                               "Greater",
                               "GreaterOrEqual",
                               "Less",
                               "LessOrEqual",
                               "BitShift",
                               "BitwiseAnd",
                               "BitwiseOr",
                               "BitwiseXor",
                               "BitwiseNot",
                               "Where",
                               "Abs",
                               "Neg",
                               "Sign",
                               "Ceil",
                               "Floor",
                               "Round",
                               "Reciprocal",
                               "Sqrt",
                               "Exp",
                               "Log",
                               "Erf",
                               "Sin",
                               "Cos",
                               "Tan",
                               "Asin",
                               "Acos",
                               "Atan",
                               "Sinh",
                               "Cosh",
                               "Asinh",
                               "Acosh",
                               "Atanh",
                               "Tanh",
                               "Sigmoid",
                               "HardSigmoid",
                               "HardSwish",
                               "Relu",
                               "LeakyRelu",
                               "PRelu",
                               "ThresholdedRelu",
                               "Elu",
                               "Selu",
                               "Celu",
                               "Softplus",
                               "Softsign",
                               "Mish",
                               "Swish",
                               "Shrink",
                               "Clip",
                               "IsNaN",
                               "IsInf",
                               "ScaledTanh",
                               "ParametricSoftplus",
                               "Scale",
                               "Range",
                               "RandomNormal",
                               "RandomNormalLike",
                               "RandomUniform",
                               "RandomUniformLike",
                               "Bernoulli",
                               "CumSum",
                               "ai.onnx.ml.Binarizer"};
constexpr Op two_for_each[] = {
    "QuantizeLinear",   "DequantizeLinear", "com.microsoft.QuantizeLinear", "com.microsoft.DequantizeLinear",
    "ImageScaler",      "Affine",           "com.microsoft.BiasAdd",        "com.microsoft.QLinearConcat",
    "ai.onnx.ml.Scaler"};
constexpr Op three_for_each[] = {"com.microsoft.QuickGelu", "com.microsoft.RotaryEmbedding", "RotaryEmbedding"};
constexpr Op five_for_each[] = {"com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearSigmoid"};
constexpr Op six_for_each[] = {"com.microsoft.BiasGelu"};
constexpr Op one_for_each_taken[] = {"ReduceSum",    "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd",
                                     "ReduceLogSum", "ArgMax",     "ArgMin",    "TopK",      "Col2Im"};
constexpr Op two_for_each_taken[] = {"ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"};
constexpr Op four_for_each_taken[] = {"DynamicQuantizeLinear"};
constexpr Op chains[] = {"Sum", "Max", "Min"};
constexpr Op means[] = {"Mean"};
constexpr Op gelus[] = {"Gelu", "com.microsoft.Gelu"};
constexpr Op fast_gelus[] = {"com.microsoft.FastGelu"};
constexpr Op scatters[] = {"Scatter", "ScatterElements", "ScatterND"};
constexpr Op quantized_pairs[] = {"com.microsoft.QLinearAdd", "com.microsoft.QLinearMul"};

constexpr Op quantized_wheres[] = {"com.microsoft.QLinearWhere"};
constexpr Op quantized_means[] = {"com.microsoft.QLinearReduceMean"};

void add_all(Rules& rules, Rule rule, std::span<const Op> ops) {
  for (const Op op : ops) rules.emplace(op, rule);
}

}  // namespace

void add_element_rules(Rules& rules) {
  add_all(rules, nothing, moves);
  add_all(rules, each_output<1>, one_for_each);
  add_all(rules, each_output<2>, two_for_each);
  add_all(rules, each_output<3>, three_for_each);
  add_all(rules, each_output<5>, five_for_each);
  add_all(rules, each_output<6>, six_for_each);
  add_all(rules, each_input<1>, one_for_each_taken);
  add_all(rules, each_input<2>, two_for_each_taken);
  add_all(rules, each_input<4>, four_for_each_taken);
  add_all(rules, chain, chains);
  add_all(rules, mean, means);
  add_all(rules, gelu, gelus);
  add_all(rules, fast_gelu, fast_gelus);
  add_all(rules, scatter, scatters);
  add_all(rules, quantized_pair, quantized_pairs);
  add_all(rules, quantized_where, quantized_wheres);
  add_all(rules, quantized_mean, quantized_means);
}

}  // namespace culprit::rules
