// Element by element: one FLOP for each element that comes out, whatever function it is (Exp as well as Add); there is
// no other number that holds on all machines. What is fused counts what it was fused of.

#include <unordered_set>

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

/// Of n operands: n - 1 for each element.
double chain(const TypedNode& node) { return (static_cast<double>(node.inputs.size()) - 1) * out(node).count(); }
double mean(const TypedNode& node) { return static_cast<double>(node.inputs.size()) * out(node).count(); }

/// Each operand is made a float (2), the result is made an integer (2).
double quantized_pair(const TypedNode& node) {
  return 2 * in(node, 0).count() + 2 * in(node, 3).count() + 3 * out(node).count();
}

/// x / sqrt(2), erf, + 1, * x, * 0.5; or the eight of the approximation by tanh.
double gelu(const TypedNode& node) { return (text(node, "approximate", "none") == "tanh" ? 8 : 5) * out(node).count(); }
double fast_gelu(const TypedNode& node) { return (has(node, 1) ? 9 : 8) * out(node).count(); }

/// Updates that are added up; those that only take a place are moved.
double scatter(const TypedNode& node) { return text(node, "reduction", "none") == "none" ? 0 : in(node, 2).count(); }

void add_all(Rules& rules, Rule rule, std::initializer_list<std::string_view> ops) {
  for (const auto op : ops) rules.emplace(op, rule);
}

}  // namespace

void add_element_rules(Rules& rules) {
  add_all(rules, nothing,
          {"Reshape",
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
           "com.microsoft.nchwc.ReorderOutput"});
  add_all(rules, each_output<1>,
          {"Add",
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
           "ai.onnx.ml.Binarizer"});
  add_all(rules, each_output<2>,
          {"QuantizeLinear", "DequantizeLinear", "com.microsoft.QuantizeLinear", "com.microsoft.DequantizeLinear",
           "ImageScaler", "Affine", "com.microsoft.BiasAdd", "com.microsoft.QLinearConcat", "ai.onnx.ml.Scaler"});
  add_all(rules, each_output<3>, {"com.microsoft.QuickGelu", "com.microsoft.RotaryEmbedding", "RotaryEmbedding"});
  add_all(rules, each_output<5>, {"com.microsoft.QLinearLeakyRelu", "com.microsoft.QLinearSigmoid"});
  add_all(rules, each_output<6>, {"com.microsoft.BiasGelu"});
  add_all(rules, each_input<1>,
          {"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceLogSum", "ArgMax", "ArgMin",
           "TopK", "Col2Im"});
  add_all(rules, each_input<2>, {"ReduceL1", "ReduceL2", "ReduceSumSquare", "ReduceLogSumExp"});
  add_all(rules, each_input<4>, {"DynamicQuantizeLinear"});
  add_all(rules, chain, {"Sum", "Max", "Min"});
  add_all(rules, mean, {"Mean"});
  add_all(rules, gelu, {"Gelu", "com.microsoft.Gelu"});
  add_all(rules, fast_gelu, {"com.microsoft.FastGelu"});
  add_all(rules, scatter, {"Scatter", "ScatterElements", "ScatterND"});
  add_all(rules, quantized_pair, {"com.microsoft.QLinearAdd", "com.microsoft.QLinearMul"});
}

}  // namespace culprit::rules
