// Sums of products, with figures worked out by hand beside each. Bytes are those of float32 (4) where nothing else is
// said.

#include <gtest/gtest.h>

#include "cost_of.h"
#include "unit/models/cost/cost_case.h"

namespace culprit {
namespace {

class Products : public testing::TestWithParam<CostCase> {};

TEST_P(Products, CostWhatTheSizesSay) {
  const NodeCosts costs = cost_of(GetParam().graph);
  EXPECT_EQ(costs.nodes_uncounted, 0);
  EXPECT_EQ(costs.flops, GetParam().flops);
  EXPECT_EQ(costs.moved, GetParam().moved);
}

constexpr CostCase convolutions[] = {
    // 4 x 6 x 6 = 144 elements, each a sum of 3 x 9 = 27 products: 144 x 54 = 7776. (3x8x8 + 4x27 + 144) x 4 = 1776.
    {"(float[1,3,8,8] x, float[4,3,3,3] w) => (float[n] y) { y = Conv (x, w) }", 7776, 1776},
    // The same and a bias: 144 more; 4 x 4 bytes more.
    {"(float[1,3,8,8] x, float[4,3,3,3] w, float[4] b) => (float[n] y) { y = Conv (x, w, b) }", 7920, 1792},
    // Two groups of two channels: 4 x 8 x 8 = 256 elements (padded), each of 2 x 9: 256 x 36 = 9216.
    // (256 + 72 + 256) x 4 = 2336.
    {"(float[1,4,8,8] x, float[4,2,3,3] w) => (float[n] y) { y = Conv <group = 2, pads = [1,1,1,1]> (x, w) }", 9216,
     2336},
    // Stride 2: 4 x 4 = 16 positions, 5 channels; 80 x 2 x 3 = 480. One axis: (3x8 + 15 + 20) x 4 = 236 for the second.
    {"(float[1,3,8,8] x, float[5,3,1,1] w) => (float[n] y) { y = Conv <strides = [2,2]> (x, w) }", 480, 1148},
    {"(float[1,3,8] x, float[5,3,1] w) => (float[n] y) { y = Conv <strides = [2]> (x, w) }", 120, 236},
    // 3 x 4 x 4 = 48 elements go into 2 channels x 2 x 2: 48 x 8 x 2 = 768, bias 2 x 8 x 8 = 128.
    // (48 + 24 + 2 + 128) x 4 = 808.
    {"(float[1,3,4,4] x, float[3,2,2,2] w, float[2] b) => (float[n] y) { y = ConvTranspose <strides = [2,2]> (x, w, b) "
     "}",
     896, 808},
    // As the first, of bytes; the output is int32: 192 + 108 + 144 x 4 = 876.
    {"(uint8[1,3,8,8] x, uint8[4,3,3,3] w) => (int32[n] y) { y = ConvInteger (x, w) }", 7776, 876},
    // As the first, and 2 for each element to make it a byte again. 192 + 108 + 144, and scales (4, 4, 4) and zero
    // points (1, 1, 1): 459.
    {"(uint8[1,3,8,8] x, float xs, uint8 xz, uint8[4,3,3,3] w, float ws, uint8 wz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = QLinearConv (x, xs, xz, w, ws, wz, ys, yz) }",
     8064, 459},
    // Fused with a sum and an activation: 7776 + 144 (bias) + 144 (sum) + 144 (Relu); 1792 + 576 bytes for the summand.
    {"(float[1,3,8,8] x, float[4,3,3,3] w, float[4] b, float[1,4,6,6] z) => (float[n] y) "
     "{ y = com.microsoft.FusedConv <activation = \"Relu\"> (x, w, b, z) }",
     8208, 2368},
    {"(float[1,16,8,8] x, float[16,16,1,1] w) => (float[n] y) { y = com.microsoft.nchwc.Conv <activation = \"Relu\"> "
     "(x, w) }",
     // 16 x 64 = 1024 elements x 32, and 1024; (1024 + 256 + 1024) x 4.
     33792, 9216},
    // As the one of bytes above, with the channels last, and as the first with an activation (144).
    {"(uint8[1,8,8,3] x, float xs, uint8 xz, uint8[4,3,3,3] w, float ws, uint8 wz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = com.microsoft.QLinearConv <channels_last = 1> (x, xs, xz, w, ws, wz, ys, yz) }",
     8064, 459},
    {"(float[1,8,8,3] x, float[4,3,3,3] w) => (float[n] y) "
     "{ y = com.microsoft.NhwcFusedConv <activation = \"Relu\"> (x, w) }",
     7920, 1776},
};
INSTANTIATE_TEST_SUITE_P(Convolutions, Products, testing::ValuesIn(convolutions));

constexpr CostCase matrices[] = {
    // 2 x 5 sums of 3: 60; (6 + 15 + 10) x 4.
    {"(float[2,3] a, float[3,5] b) => (float[n] y) { y = MatMul (a, b) }", 60, 124},
    // Batches of 7 and 1: 7 x 10 elements; (42 + 15 + 70) x 4.
    {"(float[7,2,3] a, float[1,3,5] b) => (float[n] y) { y = MatMul (a, b) }", 420, 508},
    {"(float[3] a, float[3,5] b) => (float[n] y) { y = MatMul (a, b) }", 30, 92},
    // The square is the same tensor twice: it is read once.
    {"(float[3,3] a) => (float[n] y) { y = MatMul (a, a) }", 54, 72},
    // A is (3, 2), exchanged; C adds 10: 70. (6 + 15 + 5 + 10) x 4.
    {"(float[3,2] a, float[5,3] b, float[5] c) => (float[n] y) { y = Gemm <transA = 1, transB = 1> (a, b, c) }", 70,
     144},
    {"(float[2,3] a, float[3,5] b) => (float[n] y) { y = com.microsoft.FusedGemm <activation = \"Relu\"> (a, b) }", 70,
     124},
    {"(float[7,3,2] a, float[7,5,3] b) => (float[n] y) { y = com.microsoft.FusedMatMul <transA = 1, transB = 1> (a, b) "
     "}",
     // 7 x 2 x 5 sums of 3; (42 + 105 + 70) x 4.
     420, 868},
    {"(uint8[2,3] a, uint8[3,5] b) => (int32[n] y) { y = MatMulInteger (a, b) }", 60, 61},
    // 60 and 2 x 10; 6 + 15 + 10 + 3 scales and 3 zero points (15).
    {"(uint8[2,3] a, float as, uint8 az, uint8[3,5] b, float bs, uint8 bz, float ys, uint8 yz) => (uint8[n] y) "
     "{ y = QLinearMatMul (a, as, az, b, bs, bz, ys, yz) }",
     80, 46},
    // 60, C 10, bytes again 20; 6 + 15 + 10, C 20, 3 scales and 3 zero points.
    {"(uint8[2,3] a, float as, uint8 az, uint8[5,3] b, float bs, uint8 bz, int32[5] c, float ys, uint8 yz) => "
     "(uint8[n] y) { y = com.microsoft.QGemm <transB = 1> (a, as, az, b, bs, bz, c, ys, yz) }",
     90, 66},
    // 60, made floats 10; 6 + 15 + 40, 2 scales and 2 zero points.
    {"(uint8[2,3] a, float as, uint8 az, uint8[3,5] b, float bs, uint8 bz) => (float[n] y) "
     "{ y = com.microsoft.QGemm (a, as, az, b, bs, bz) }",
     70, 71},
    // The input is made into bytes (4 x 6), multiplied (60), scaled (10). 24 + 15 + 4 + 40.
    {"(float[2,3] a, uint8[3,5] b, float bs) => (float[n] y) { y = com.microsoft.DynamicQuantizeMatMul (a, b, bs) }",
     94, 83},
    // 2 x 8 inputs by 5: 160; 40 weights are made into floats: 80. 64 + 20 (40 halves of bytes) + 20 + 40.
    {"(float[2,8] a, uint8[5,1,4] b, float[5] s) => (float[n] y) "
     "{ y = com.microsoft.MatMulNBits <K = 8, N = 5, bits = 4, block_size = 16> (a, b, s) }",
     240, 144},
};
INSTANTIATE_TEST_SUITE_P(Matrices, Products, testing::ValuesIn(matrices));

constexpr CostCase einsums[] = {
    // i, j, k = 2, 3, 5: 30 combinations, one product and one sum each.
    {"(float[2,3] a, float[3,5] b) => (float[n] y) { y = Einsum <equation = \"ij, jk -> ik\"> (a, b) }", 60, 124},
    // An outer product sums nothing.
    {"(float[2] a, float[5] b) => (float[n] y) { y = Einsum <equation = \"i,j->ij\"> (a, b) }", 10, 68},
    // A transposition multiplies nothing, a trace-like sum adds only.
    {"(float[2,3] a) => (float[n] y) { y = Einsum <equation = \"ij->ji\"> (a) }", 0, 48},
    {"(float[2,3] a) => (float[n] y) { y = Einsum <equation = \"ij->i\"> (a) }", 6, 32},
    // Batches in dots, one of them broadcast: 4 x 30 combinations. (24 + 15 + 40) x 4.
    {"(float[4,2,3] a, float[1,3,5] b) => (float[n] y) { y = Einsum <equation = \"...ij,...jk->...ik\"> (a, b) }", 240,
     316},
};
INSTANTIATE_TEST_SUITE_P(Einsums, Products, testing::ValuesIn(einsums));

TEST(Products, AreUncountedWhereASizeIsNotKnown) {
  const NodeCosts costs = cost_of("(float[N,3] a, float[3,5] b) => (float[n] y) { y = MatMul (a, b) }");
  EXPECT_EQ(costs.nodes_uncounted, 1);
  EXPECT_EQ(costs.flops, std::nullopt);
  EXPECT_EQ(costs.nodes.at(0).moved, std::nullopt);
}

TEST(Products, TakeOpenSizesFromTheSample) {
  const auto model = model_of("(float[N,3] a, float[3,5] b) => (float[n] y) { y = MatMul (a, b) }");
  EXPECT_EQ(node_costs(model, InputShapes{{"a", {4, 3}}, {"nobody", {1}}}).flops, 120);
}

}  // namespace
}  // namespace culprit
