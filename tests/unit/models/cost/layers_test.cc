// All other operators, with figures worked out by hand.

#include <gtest/gtest.h>

#include "cost_of.h"
#include "unit/models/cost/cost_case.h"

namespace culprit {
namespace {

class Layers : public testing::TestWithParam<CostCase> {};

TEST_P(Layers, CostWhatTheSizesSay) {
  const NodeCosts costs = cost_of(GetParam().graph);
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.flops, GetParam().flops);
  EXPECT_EQ(costs.moved, GetParam().moved);
}

constexpr CostCase elements[] = {
    {"(float[2,3] x) => (float[n] y) { y = Exp (x) }", 6, 48},
    {"(float[2,3] x, float[3] b) => (float[n] y) { y = Add (x, b) }", 6, 60},
    {"(float16[2,3] x, float16[3] b) => (float16[n] y) { y = Mul (x, b) }", 6, 30},
    {"(float[2,3] x) => (bool[n] y) { y = Greater (x, x) }", 6, 30},
    {"(float[4] a, float[4] b, float[4] c) => (float[n] y) { y = Sum (a, b, c) }", 8, 64},
    {"(float[4] a, float[4] b, float[4] c) => (float[n] y) { y = Mean (a, b, c) }", 12, 64},
    {"(float[2,3] x, float s, uint8 z) => (uint8[n] y) { y = QuantizeLinear (x, s, z) }", 12, 35},
    {"(float[2,3] x) => (float[n] y) { y = com.microsoft.Gelu (x) }", 30, 48},
    {"(float[2,3] x, float[3] b) => (float[n] y) { y = com.microsoft.BiasGelu (x, b) }", 36, 60},
    {"(float[2,3] x) => (float[n] y) { y = com.microsoft.FastGelu (x) }", 48, 48},
    // 4 bytes a side: 2 + 2 for the operands, 3 for sum and result: 7 x 4. 12 + 3 x (4 + 1).
    {"(uint8[4] a, float as, uint8 az, uint8[4] b, float bs, uint8 bz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearAdd (a, as, az, b, bs, bz, ys, yz) }",
     28, 27},
    {"(float[1,3,4,4] x) => (float[n] y) { y = ImageScaler <scale = 2.0, bias = [1.0, 1.0, 1.0]> (x) }", 96, 384},
};
INSTANTIATE_TEST_SUITE_P(ElementByElement, Layers, testing::ValuesIn(elements));

constexpr CostCase moves[] = {
    {"(float[2,3] x) => (float[n] y) { y = Transpose (x) }", 0, 48},
    {"(float[2,3] x, float[2,3] z) => (float[n] y) { y = Concat <axis = 0> (x, z) }", 0, 96},
    // Views: nothing is moved, whatever the shape is made of.
    {"(float[2,3] x) => (float[n] y) <int64[1] s = {6}> { y = Reshape (x, s) }", 0, 0},
    {"(float[2,3] x) => (float[n] y) { y = Identity (x) }", 0, 0},
    {"(float[2,3] x) => (float[n] y) { y = Dropout (x) }", 0, 0},
    // Of a table of 100 rows two are read: 2 x 3 x 4 bytes in and out, and two indices of 8.
    {"(float[100,3] t, int64[2] i) => (float[n] y) { y = Gather (t, i) }", 0, 64},
    {"(float[100,3] t) => (float[n] y) <int64[1] a = {0}, int64[1] b = {2}> { y = Slice (t, a, b) }", 0, 64},
    {"(float[2,3] x) => (int64[n] y) { y = Shape (x) }", 0, 16},
    {"() => (float[n] y) { y = Constant <value = float[2] {1, 2}> () }", 0, 0},
    {"(float[1,1,6,8] x) => (float[n] y) { y = Crop <border = [1, 2, 3, 1]> (x) }", 0, 96},  // 3 x 4 are left
    {"(float[2,3] x) => (float16[n] y) { y = Cast <to = 10> (x) }", 0, 36},
};
INSTANTIATE_TEST_SUITE_P(Moves, Layers, testing::ValuesIn(moves));

constexpr CostCase layers[] = {
    {"(float[2,3] x) => (float[n] y) { y = ReduceMean <axes = [1]> (x) }", 6, 32},
    {"(float[2,3] x) => (float[n] y) { y = ReduceL2 <axes = [1]> (x) }", 12, 32},
    // 2 x 2 windows of 9; (25 + 4) x 4.
    {"(float[1,1,5,5] x) => (float[n] y) { y = MaxPool <kernel_shape = [3,3], strides = [2,2]> (x) }", 36, 116},
    {"(float[1,2,5,5] x) => (float[n] y) { y = GlobalAveragePool (x) }", 50, 208},
    // Stored mean and variance are one factor and one summand: 2 x 50; (50 + 4 x 2 + 50) x 4.
    {"(float[1,2,5,5] x, float[2] s, float[2] b, float[2] m, float[2] v) => (float[n] y) "
     "{ y = BatchNormalization (x, s, b, m, v) }",
     100, 432},
    {"(float[1,2,5,5] x, float[2] s, float[2] b) => (float[n] y) { y = InstanceNormalization (x, s, b) }", 350, 416},
    {"(float[2,3] x, float[3] s) => (float[n] y) { y = LayerNormalization (x, s) }", 36, 60},
    {"(float[2,3] x, float[3] s, float[3] b) => (float[n] y) { y = LayerNormalization (x, s, b) }", 42, 72},
    // The sum with what was skipped 1, 5 for the normalization, 1 each for gamma, beta and bias: 9 x 6.
    {"(float[1,2,3] x, float[1,2,3] z, float[3] g, float[3] b, float[3] c) => (float[n] y) "
     "{ y = com.microsoft.SkipLayerNormalization (x, z, g, b, c) }",
     54, 108},
    {"(float[1,4,2,2] x) => (float[n] y) { y = LRN <size = 5> (x) }", 144, 128},  // 16 x (5 + 4)
    {"(float[2,3] x) => (float[n] y) { y = Softmax (x) }", 30, 48},
    // Four neighbours for each of 16: 2 x 4 x 16. (4 + 16 + 4 scales) x 4.
    {"(float[1,1,2,2] x) => (float[n] y) <float[4] s = {1, 1, 2, 2}> { y = Resize <mode = \"linear\"> (x, , s) }", 128,
     96},
    {"(float[1,1,2,2] x) => (float[n] y) <float[4] s = {1, 1, 2, 2}> { y = Resize <mode = \"nearest\"> (x, , s) }", 0,
     96},
    // Five steps of one sample: 2 x (4 x 3 x 2 + 4 x 3 x 3) = 120, biases 24, 9 x 3 = 27 for the state: 171 x 5 = 855.
    // (10 + 24 + 36 + 24 + 15) x 4.
    {"(float[5,1,2] x, float[1,12,2] w, float[1,12,3] r, float[1,24] b) => (float[n] y) "
     "{ y = LSTM <hidden_size = 3> (x, w, r, b) }",
     855, 436},
    // 2 x (9 x 2 + 9 x 3) = 90 and 8 x 3: 114 x 5. (10 + 18 + 27 + 15) x 4.
    {"(float[5,1,2] x, float[1,9,2] w, float[1,9,3] r) => (float[n] y) { y = GRU <hidden_size = 3> (x, w, r) }", 570,
     280},
    {"(float[5,1,2] x, float[1,3,2] w, float[1,3,3] r) => (float[n] y) { y = RNN <hidden_size = 3> (x, w, r) }", 165,
     160},
};
INSTANTIATE_TEST_SUITE_P(Layers, Layers, testing::ValuesIn(layers));

constexpr CostCase attentions[] = {
    // 2 tokens of 4 by 12 columns: 192, bias 24. Scores 2 x 2 x 2 x 4 = 32, softmax 6 x 2 heads x 4 = 48, values 32.
    // (8 + 48 + 12 + 8) x 4.
    {"(float[1,2,4] x, float[4,12] w, float[12] b) => (float[n] y) { y = com.microsoft.Attention <num_heads = 2> (x, "
     "w, b) }",
     328, 304},
    // 2 queries, 3 keys: 2 x 8 x 3 = 48, 6 x 2 x 2 x 3 = 72, 48. (8 + 12 + 12 + 8) x 4.
    {"(float[1,2,4] q, float[1,3,4] k, float[1,3,4] v) => (float[n] y) "
     "{ y = com.microsoft.MultiHeadAttention <num_heads = 2> (q, k, v) }",
     168, 160},
};
INSTANTIATE_TEST_SUITE_P(Attention, Layers, testing::ValuesIn(attentions));

constexpr CostCase made_by_the_runtime[] = {
    // Of 1 x 6 x 6 x 5 with the channels last: 3 x 3 x 5 windows of 4. 180 + 45.
    {"(uint8[1,6,6,5] x) => (uint8[n] y) "
     "{ y = com.microsoft.NhwcMaxPool <kernel_shape = [2,2], strides = [2,2]> (x) }",
     180, 225},
    // The same of a quantized mean, which is made bytes again; two scales and two zero points.
    {"(uint8[1,6,6,5] x, float xs, uint8 xz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearAveragePool <channels_last = 1, kernel_shape = [2,2], strides = [2,2]> "
     "(x, xs, xz, ys, yz) }",
     270, 235},
    // 20 elements; 8 + 12 + 20, 3 scales and 3 zero points.
    {"(float ys, uint8 yz, uint8[1,2,4] a, float as, uint8 az, uint8[1,3,4] b, float bs, uint8 bz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearConcat <axis = 1> (ys, yz, a, as, az, b, bs, bz) }",
     40, 55},
    // 2 x 4 of both, 3 x 4; 4 x 4, 3 scales and 3 zero points.
    {"(bool[4] c, uint8[4] x, float xs, uint8 xz, uint8[4] w, float ws, uint8 wz, float zs, uint8 zz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearWhere (c, x, xs, xz, w, ws, wz, zs, zz) }",
     28, 31},
    // 3 x 12 and 2 x 2; 12 + 2, 2 scales and 2 zero points.
    {"(uint8[2,6] x, float xs, uint8 xz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearReduceMean <axes = [1]> (x, xs, xz, ys, yz) }",
     40, 24},
    // 2 each; 24 + 12 and a scale and a zero point.
    {"(float[6] x, float s, uint16 z) => (uint16[n] y) { y = com.microsoft.QuantizeLinear (x, s, z) }", 12, 42},
    {"(uint16[6] x, float s, uint16 z) => (float[n] y) { y = com.microsoft.DequantizeLinear (x, s, z) }", 12, 42},
    // 12 elements x 9; numbers 12 + 12, three rows of each table 144, gamma and beta 32, written 48 + 4.
    {"(int32[1,3] i, int32[1,3] s, float[10,4] we, float[8,4] pe, float[2,4] se, float[4] g, float[4] b) => "
     "(float[n] y, int32[n] m) { y, m = com.microsoft.EmbedLayerNormalization (i, s, we, pe, se, g, b) }",
     108, 252},
    // Each of 5 steps: 2 x 192 + 2 x 256 + 64; bytes 4 x (6 + 8), floats 2 x 32; 9 x 8. Bytes: 120 + 192 + 256 + 256,
    // 2 scales and 2 zero points, 160.
    {"(float[5,1,6] x, int8[1,6,32] w, int8[1,8,32] r, float[1,64] b, float[1] ws, int8[1] wz, float[1] rs, "
     "int8[1] rz) => (float[n] y) "
     "{ y = com.microsoft.DynamicQuantizeLSTM <hidden_size = 8> (x, w, r, b, , , , , ws, wz, rs, rz) }",
     5760, 994},
};
INSTANTIATE_TEST_SUITE_P(MadeByTheRuntime, Layers, testing::ValuesIn(made_by_the_runtime));

TEST(Layers, TheRuntimeFusesLayerNormalizationInOlderModelsToo) {
  const NodeCosts costs = cost_of(
      "(float[2,3] x, float[3] s, float[3] b) => (float[n] y) { y = LayerNormalization (x, s, b) }", /*opset=*/13);
  EXPECT_EQ(costs.flops, 7 * 6);
}

TEST(Layers, WithoutARuleAreUncounted) {
  const NodeCosts costs = cost_of("(float[2,3] x) => (float[2,3] z) { y = own.Thing (x) z = Relu (x) }");
  EXPECT_EQ(costs.nodes_uncounted, 1);
  EXPECT_EQ(costs.flops, 6) << "of the other";
  EXPECT_EQ(costs.nodes.at(0).op, "own.Thing");
  EXPECT_EQ(costs.nodes.at(0).flops, std::nullopt);
}

TEST(Layers, CostAsMuchFusedAsApart) {
  const NodeCosts apart = cost_of(
      "(float[1,3,8,8] x, float[4,3,3,3] w, float[4] b, float[1,4,6,6] z) => (float[n] y) "
      "{ c = Conv (x, w, b) s = Add (c, z) y = Relu (s) }");
  const NodeCosts fused = cost_of(
      "(float[1,3,8,8] x, float[4,3,3,3] w, float[4] b, float[1,4,6,6] z) => (float[n] y) "
      "{ y = com.microsoft.FusedConv <activation = \"Relu\"> (x, w, b, z) }");
  EXPECT_EQ(apart.flops, fused.flops);
  EXPECT_GT(apart.moved, fused.moved) << "what lies between is neither written nor read";
}

}  // namespace
}  // namespace culprit
