#include "cost/planned_memory.h"

#include <gtest/gtest.h>

#include "cost_of.h"

namespace culprit {
namespace {

std::optional<PlannedMemory> planned(const std::string& graph) {
  const auto model = model_of(graph);
  return planned_memory(typed_graph(model, InputShapes{}));
}

TEST(PlannedMemory, FreesAfterTheLastUse) {
  // Each is 100 x 4 bytes. a and b are alive together, then b and c, then c and y: two at a time.
  const auto chain = planned("(float[100] x) => (float[n] y) { a = Exp (x) b = Exp (a) c = Exp (b) y = Exp (c) }");
  EXPECT_EQ(chain.value().values, 800U);
  EXPECT_EQ(chain.value().inputs, 400U);
  EXPECT_EQ(chain.value().weights, 0U);
  // a is used again at the end: three at a time.
  EXPECT_EQ(
      planned("(float[100] x) => (float[n] y) { a = Exp (x) b = Exp (a) c = Exp (b) y = Add (c, a) }").value().values,
      1200U);
}

TEST(PlannedMemory, KeepsOutputsToTheEnd) {
  EXPECT_EQ(planned("(float[100] x) => (float[n] a, float[n] y) { a = Exp (x) b = Exp (x) c = Exp (b) y = Exp (c) }")
                .value()
                .values,
            1200U);
}

TEST(PlannedMemory, CountsWhatNobodyTakesWhileItIsMade) {
  EXPECT_EQ(planned("(float[100] x) => (float[n] y) { a = Exp (x) b = Exp (x) y = Exp (x) }").value().values, 400U);
}

TEST(PlannedMemory, CountsWeightsApart) {
  const auto sum = planned(
      "(float[2] x) => (float[n] y) <float[2] w = {1, 2}> { k = Constant <value = float[2] {1, 2}> () "
      "a = Add (x, w) y = Add (a, k) }");
  EXPECT_EQ(sum.value().values, 16U);
  EXPECT_EQ(sum.value().weights, 8U);
}

TEST(PlannedMemory, CountsViewsOnce) {
  // b shows a: a, b and y are two places. a is alive as long as b is.
  EXPECT_EQ(
      planned("(float[100] x) => (float[n] y) <int64[2] s = {1, 100}> { a = Exp (x) b = Reshape (a, s) c = Exp (b) "
              "y = Exp (c) }")
          .value()
          .values,
      800U);
  EXPECT_EQ(
      planned("(float[100] x) => (float[n] y) <int64[2] s = {1, 100}> { a = Exp (x) b = Reshape (a, s) c = Exp (x) "
              "d = Exp (c) y = Add (b, d) }")
          .value()
          .values,
      1200U);
  EXPECT_EQ(planned("(float[100] x) => (float[n] y) { y = Identity (x) }").value().values, 400U)
      << "an output is a copy";
  EXPECT_EQ(planned("(float[100] x) => (float[n] y) { a = Exp (x) y = Identity (a) }").value().values, 400U);
}

TEST(PlannedMemory, LooksInside) {
  // The else branch makes two; what it makes last is what comes out. The outer a is taken inside only.
  EXPECT_EQ(planned(R"((bool c, float[100] x) => (float[n] y) { a = Exp (x)
      y = If (c) <then_branch = t () => (float[n] p) { p = Exp (a) },
                  else_branch = e () => (float[n] q) { r = Exp (a) q = Exp (r) }> })")
                .value()
                .values,
            1200U);
}

TEST(PlannedMemory, IsAbsentWhereASizeIsNotKnown) {
  EXPECT_EQ(planned("(float[N] x) => (float[n] y) { y = Exp (x) }"), std::nullopt);
  EXPECT_EQ(planned("(float[2] x) => (float[n] y) { y = own.Thing (x) }"), std::nullopt);
  EXPECT_EQ(planned("(float[70000,70000,70000,70000] x) => (float[n] y) { y = Exp (x) }"), std::nullopt) << "nonsense";
}

}  // namespace
}  // namespace culprit
