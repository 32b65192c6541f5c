#include "model/quantization.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::map<std::string, double> steps(const std::string& graph) {
  return quantization_steps(parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph));
}

TEST(QuantizationSteps, of_integers_are_one) {
  EXPECT_THAT(steps(R"(g (float[4] x) => (uint8[4] y) <float s = {0.1}> { y = QuantizeLinear(x, s) })"),
              ElementsAre(Pair("y", 1)));
  EXPECT_THAT(steps(R"(g (float[4] x) => (uint8[4] y, float scale) { y, scale, zero = DynamicQuantizeLinear(x) })"),
              ElementsAre(Pair("y", 1)));
  EXPECT_THAT(steps(R"(g (uint8[4] x) => (uint8[4] y) <float s = {0.1}, uint8 z = {0}>
    { y = QLinearMatMul(x, s, z, x, s, z, s, z) })"),
              ElementsAre(Pair("y", 1)));
}

TEST(QuantizationSteps, of_dequantized_outputs_are_the_scale) {
  EXPECT_THAT(steps(R"(g (uint8[4] x) => (float[4] y) <float s = {0.25}> { y = DequantizeLinear(x, s) })"),
              ElementsAre(Pair("y", 0.25)));
  EXPECT_THAT(steps(R"(g (uint8[2] x) => (float[2] y) <float[2] s = {0.25, 0.5}> { y = DequantizeLinear(x, s) })"),
              ElementsAre(Pair("y", 0.5)));
  EXPECT_THAT(steps(R"(g (uint8[2] x) => (float[2] y)
    { s = Constant<value = float {0.125}>()  y = DequantizeLinear(x, s) })"),
              ElementsAre(Pair("y", 0.125)));
}

TEST(QuantizationSteps, go_through_operators_that_only_move_elements) {
  EXPECT_THAT(steps(R"(g (uint8[4] x, uint8[4] w) => (float[8] y, float[4] z) <float s = {0.25}, float r = {0.5}>
    { a = DequantizeLinear(x, s)  b = DequantizeLinear(w, r)  c = Concat<axis = 0>(a, b)  d = Identity(c)
      e = Unsqueeze(d)  y = Squeeze(e)  z = Transpose(a) })"),
              ElementsAre(Pair("y", 0.5), Pair("z", 0.25)));
}

TEST(QuantizationSteps, end_where_values_are_computed_with) {
  EXPECT_THAT(steps(R"(g (uint8[4] x) => (float[4] y) <float s = {0.25}>
    { a = DequantizeLinear(x, s)  y = Softmax(a) })"),
              IsEmpty());
  EXPECT_THAT(steps("g (float[4] x) => (float[4] y) { y = Relu(x) }"), IsEmpty());
}

TEST(QuantizationSteps, of_a_computed_scale_are_not_known) {
  EXPECT_THAT(steps(R"(g (float[4] x) => (float[4] y)
    { q, s, z = DynamicQuantizeLinear(x)  y = DequantizeLinear(q, s, z) })"),
              IsEmpty());
}

TEST(QuantizationSteps, belong_to_the_values_and_not_to_masks_and_indices) {
  EXPECT_THAT(steps(R"(g (uint8[1,1,2,2] x) => (float[1,1,1,1] y, int64[1,1,1,1] i) <float s = {0.25}>
    { a = DequantizeLinear(x, s)  y, i = MaxPool<kernel_shape = [2, 2]>(a) })"),
              ElementsAre(Pair("y", 0.25)));
}

}  // namespace
}  // namespace culprit
