#include "optimizer/onnxruntime/step_names.h"

#include <array>

namespace culprit {
namespace {

constexpr const char* first = "Level1_RuleBasedTransformer";
constexpr const char* second = "Level2_RuleBasedTransformer";
constexpr std::array<const char*, 2> containers{first, second};

// CastChainElimination runs only where the session is told to (session.enable_cast_chain_elimination).
constexpr std::array<RuleName, 22> rules{{
    {"EliminateIdentity", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) { a = Neg(x) i = Identity(a) y = Relu(i) })"},
    {"EliminateSlice", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) <int64[1] s = {0}, int64[1] e = {9223372036854775807}> { a = Neg(x) i = Slice(a, s, e) y = Relu(i) })"},
    {"UnsqueezeElimination", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 11]> g (float[1,2] x) => (float[1,2] y) <float[2] c = {1,2}> { u = Unsqueeze<axes = [0]>(c) y = Add(x, u) })"},
    {"EliminateDropout", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 12]> g (float[2] x) => (float[2] y) { a = Neg(x) i = Dropout(a) y = Relu(i) })"},
    {"ExpandElimination", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) <int64[1] s = {2}> { a = Neg(x) i = Expand(a, s) y = Relu(i) })"},
    {"CastElimination", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) { a = Neg(x) i = Cast<to = 1>(a) y = Relu(i) })"},
    {"CastChainElimination", first, Level::basic, ""},
    {"PreShapeNodeElimination", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 15]> g (float[2] x) => (int64[1] y) { a = Cast<to = 11>(x) y = Shape(a) })"},
    {"NoopElimination", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) <float zero = {0}> { a = Neg(x) i = Add(a, zero) y = Relu(i) })"},
    {"DivMulFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, float[2] z) => (float[2] y) <float one = {1}> { d = Div(one, x) y = Mul(d, z) })"},
    {"FuseReluClip", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (float[2] y) <float lo = {0}, float hi = {6}> { a = Relu(x) y = Clip(a, lo, hi) })"},
    {"GemmSumFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2,2] x, float[2,2] z) => (float[2,2] y) <float[2,2] w = {1,2,3,4}> { g = Gemm(x, w) y = Sum(g, z) })"},
    {"GemmTransposeFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2,2] x, float[2,2] z) => (float[2,2] y) { t = Transpose<perm = [1, 0]>(x) y = Gemm(t, z) })"},
    {"NotWhereFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (bool[2] c, float[2] x, float[2] z) => (float[2] y) { n = Not(c) y = Where(n, x, z) })"},
    {"ConvAddFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3,3] x) => (float[1,2,3,3] y) <float[2,2,1,1] w = {1,2,3,4}, float[1,2,1,1] b = {1,2}> { c = Conv(x, w) y = Add(c, b) })"},
    {"ConvMulFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3,3] x) => (float[1,2,3,3] y) <float[2,2,1,1] w = {1,2,3,4}, float[1,2,1,1] b = {1,2}> { c = Conv(x, w) y = Mul(c, b) })"},
    {"ConvBNFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3,3] x) => (float[1,2,3,3] y) <float[2,2,1,1] w = {1,2,3,4}, float[2] s = {1,2}, float[2] b = {1,2}, float[2] m = {1,2}, float[2] v = {1,2}> { c = Conv(x, w) y = BatchNormalization(c, s, b, m, v) })"},
    {"Pad_Fusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[1,2,3,3] x) => (float[1,2,5,5] y) <float[2,2,1,1] w = {1,2,3,4}, int64[8] p = {0,0,1,1,0,0,1,1}> { c = Pad(x, p) y = Conv(c, w) })"},
    {"MatMul_BatchNormalization_Fusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[3,2] x) => (float[3,2] y) <float[2,2] w = {1,2,3,4}, float[2] s = {1,2}, float[2] b = {1,2}, float[2] m = {1,2}, float[2] v = {1,2}> { c = MatMul(x, w) y = BatchNormalization(c, s, b, m, v) })"},
    {"LabelEncoderFusion", first, Level::basic,
     R"(<ir_version: 8, opset_import: ["" : 13, "ai.onnx.ml" : 4]> g (string[2] x) => (string[2] y) { a = ai.onnx.ml.LabelEncoder<keys_strings = ["a", "b"], values_int64s = [1, 2], default_int64 = -1>(x) y = ai.onnx.ml.LabelEncoder<keys_int64s = [1, 2], values_strings = ["c", "d"], default_string = "z">(a) })"},
    {"ClipQuantRewrite", second, Level::extended, ""},
    {"ReluQuantRewrite", second, Level::extended,
     R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x) => (uint8[2] y) <float s = {0.1}, uint8 z = {0}> { a = Relu(x) y = QuantizeLinear(a, s, z) })"},
}};

}  // namespace

std::span<const RuleName> known_rules() { return rules; }

std::span<const char* const> rule_containers() { return containers; }

}  // namespace culprit
