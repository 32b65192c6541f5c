#include "model/tree_thresholds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "parse.h"

namespace culprit {
namespace {

using testing::IsEmpty;

/// Three nodes that compare features 0, 2 and 0, and leaves, behind `before`; the trees read `features`.
std::map<std::string, Thresholds> thresholds_in(const std::string& inputs, const std::string& before,
                                                const std::string& more = "") {
  return thresholds_of_inputs(parse_model(
      "<ir_version: 8, opset_import: [\"\" : 17, \"ai.onnx.ml\" : 3]> g (" + inputs + ") => (float[n,1] y) " + more +
      " { " + before +
      " y = ai.onnx.ml.TreeEnsembleRegressor <nodes_featureids = [0, 2, 0, 0], nodes_values = [37.5, 1.5, 2.5, 9.5], "
      "nodes_modes = [\"BRANCH_LEQ\", \"BRANCH_LT\", \"BRANCH_LEQ\", \"LEAF\"]> (features) }"));
}

TEST(Thresholds, OfAnInputThatTreesReadByColumn) {
  const auto read = thresholds_in("float[n,3] features", "");
  EXPECT_EQ(read, (std::map<std::string, Thresholds>{{"features", {{0, {2.5, 37.5}}, {2, {1.5}}}}}));
}

TEST(Thresholds, AreSeenAsTheInputSeesThem) {
  const auto scaled = thresholds_in("double[n,3] x",
                                    "a = Cast <to = 1> (x) features = ai.onnx.ml.Scaler <offset = [1.0, 2.0, "
                                    "3.0], scale = [2.0, 2.0, 0.5]> (a)");
  EXPECT_EQ(scaled, (std::map<std::string, Thresholds>{{"x", {{0, {2.25, 19.75}}, {2, {6}}}}}));
  const auto moved = thresholds_in("float[n,3] x", "a = Add(x, b) c = Mul(two, a) d = Sub(c, two) features = Div(d, b)",
                                   "<float[3] b = {1, 2, 4}, float two = {2}>");
  EXPECT_EQ(moved, (std::map<std::string, Thresholds>{{"x", {{0, {1.25, 18.75}}, {2, {0}}}}}));
}

TEST(Thresholds, FindTheirColumnAmongThoseThatWerePutTogether) {
  const auto read = thresholds_in("float[n,1] a, int64[n,1] b, float[n,2] c",
                                  "d = Cast <to = 1> (b) features = Concat <axis = 1> (a, d, c)");
  EXPECT_EQ(read, (std::map<std::string, Thresholds>{{"a", {{0, {2.5, 37.5}}}}, {"c", {{0, {1.5}}}}}));
}

TEST(Thresholds, OfWhatIsComputedOtherwiseAreLeftOut) {
  EXPECT_THAT(thresholds_in("float[n,3] x", "features = Exp(x)"), IsEmpty());
  EXPECT_THAT(thresholds_in("float[n,3] x", "features = Mul(x, zero)", "<float zero = {0}>"), IsEmpty());
  EXPECT_THAT(thresholds_in("float[n,3] x", "features = Sub(one, x)", "<float one = {1}>"), IsEmpty());
  EXPECT_THAT(thresholds_in("float[n,m] a, float[n,3] x", "features = Concat <axis = 1> (a, x)"), IsEmpty());
  EXPECT_THAT(thresholds_in("float[n,3] x", "features = Identity(features)"), IsEmpty()) << "a circle";
}

TEST(Thresholds, OfTheNewerOperator) {
  const auto read = thresholds_of_inputs(parse_model(
      "<ir_version: 10, opset_import: [\"\" : 21, \"ai.onnx.ml\" : 5]> g (float[n,2] x) => (float[n,1] y) { "
      "y = ai.onnx.ml.TreeEnsemble <nodes_featureids = [1, 0], nodes_splits = float[2] {7.5, 3}, "
      "nodes_modes = uint8[2] {0, 6}> (x) }"));
  EXPECT_EQ(read, (std::map<std::string, Thresholds>{{"x", {{1, {7.5}}}}})) << "6: a set, which is no number";
}

}  // namespace
}  // namespace culprit
