#include "model/stepped.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/model/parse.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::set<std::string> stepped(const std::string& graph) {
  return stepped_outputs(parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> )" + graph));
}

TEST(SteppedOutputs, come_off_operators_that_jump) {
  for (const char* op : {"Round", "Floor", "Ceil", "Sign", "Hardmax"}) {
    EXPECT_THAT(stepped(std::string("g (float[4] x) => (float[4] y) { a = Exp(x)  y = ") + op + "(a) }"),
                ElementsAre("y"))
        << op;
  }
  EXPECT_THAT(stepped("g (float[4] x) => (float[4] y) <float z = {0}> { a = Greater(x, z)  y = Cast<to = 1>(a) }"),
              ElementsAre("y"));
  EXPECT_THAT(stepped("g (float[4] x) => (float[4] y) { a = Cast<to = 2>(x)  y = Cast<to = 1>(a) }"), ElementsAre("y"));
}

TEST(SteppedOutputs, may_be_scaled_and_moved) {
  EXPECT_THAT(stepped(R"(g (float[4] x) => (float[4,1] y) <float k = {255}, int64[1] a = {1}>
    { b = Mul(x, k)  c = Round(b)  d = Div(c, k)  y = Unsqueeze(d, a) })"),
              ElementsAre("y"));
  EXPECT_THAT(stepped(R"(g (float[4] x) => (float[4] y) <float k = {2}, float r = {3}>
    { a = Greater(x, k)  y = Where(a, k, r) })"),
              ElementsAre("y"));
  EXPECT_THAT(stepped(R"(g (float[4,8] x) => (float[4,3] y) <float[8,3] codes = {)" + std::string("1") +
                      R"(, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6}>
    { i = ArgMax<axis = 1, keepdims = 0>(x)  y = Gather(codes, i) })"),
              ElementsAre("y"));
}

TEST(SteppedOutputs, are_not_smooth_on_any_path) {
  EXPECT_THAT(stepped("g (float[4] x) => (float[4] y) { a = Round(x)  y = Sub(x, a) }"), IsEmpty());
  EXPECT_THAT(stepped(R"(g (float[4] x) => (float[4] y) <float z = {0}>
    { a = Greater(x, z)  y = Where(a, x, z) })"),
              IsEmpty())
      << "values of x stand there";
  EXPECT_THAT(stepped("g (float[4] x) => (float[4] y) { a = Cast<to = 10>(x)  y = Cast<to = 1>(a) }"), IsEmpty());
}

TEST(SteppedOutputs, are_not_sums_over_many_elements) {
  EXPECT_THAT(stepped(R"(g (float[1,4] x) => (float[1,1] y) <float[4,1] w = {1, 2, 3, 4}>
    { a = Round(x)  y = MatMul(a, w) })"),
              IsEmpty());
}

TEST(SteppedOutputs, do_not_hang_on_shapes_and_constants_alone) {
  EXPECT_THAT(stepped("g (float[4] x) => (int64[1] s, float[1] f) { s = Shape(x)  f = Cast<to = 1>(s) }"), IsEmpty());
  EXPECT_THAT(stepped("g (int64[4] i) => (float[4] y) { y = Cast<to = 1>(i) }"), IsEmpty());
}

}  // namespace
}  // namespace culprit
