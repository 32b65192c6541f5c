#include "data/value_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/synthesize.h"
#include "interfaces.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

/// Inputs drawn for a model in the text syntax.
class RulesTest : public testing::Test {
 protected:
  void read(const std::string& graph) {
    const auto model = parse_model("<ir_version: 8, opset_import: [\"\" : 17]> g " + graph);
    interface = interface_of(model);
    plan.rules = rules_for(interface.inputs, uses_of_inputs(model));
  }
  [[nodiscard]] std::vector<double> drawn(const std::string& name, std::int64_t index = 0) const {
    const Sample sample = synthesize(interface, plan, 0, index).value();
    const Tensor& tensor = input(sample, name);
    std::vector<double> numbers;
    for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(tensor.number(i));
    return numbers;
  }

  Interface interface;
  SynthesisPlan plan;
};

TEST_F(RulesTest, IdsFillTheirTableAndStayInside) {
  read("(int64[2000] ids) => (float[2000,1] y) <float[7,1] t = {0,0,0,0,0,0,0}> { y = Gather(t, ids) }");
  const auto ids = drawn("ids");
  EXPECT_EQ(std::set<double>(ids.begin(), ids.end()), (std::set<double>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(describe(plan.rules.at("ids"), {}), "0..6, rows of 't' (Gather)");
}

TEST_F(RulesTest, TheSmallestTableCountsAndWhatIsAdded) {
  read(
      "(int64[500] ids) => (float[500,1] y, float[500,1] z) <float[7,1] t = {0,0,0,0,0,0,0}, float[4,1] u = {0,0,0,0}, "
      "int64 one = {1}> { y = Gather(t, ids) j = Add(ids, one) z = Gather(u, j) }");
  const auto ids = drawn("ids");
  EXPECT_EQ(*std::ranges::max_element(ids), 2);
}

TEST_F(RulesTest, PlacesAlongAnOpenDimensionFollowItsSize) {
  read("(float[n] x, int64[50] beam) => (float[50] y) { y = Gather(x, beam) }");
  plan.dims["n"] = 3;
  const auto beam = drawn("beam");
  EXPECT_EQ(*std::ranges::max_element(beam), 2);
}

TEST_F(RulesTest, ScatteredPlacesAreDistinct) {
  read("(float[8] x, int64[8] at, float[8] v) => (float[8] y) { y = ScatterElements(x, at, v) }");
  const auto at = drawn("at");
  EXPECT_EQ(std::set<double>(at.begin(), at.end()).size(), 8U);
}

TEST_F(RulesTest, MasksArePrefixesAndIdsArePaddedBehindThem) {
  read(
      "(int64[2,9] ids, int64[2,9] attention_mask) => (float[2,9,1] y, int64[2,9] z) <float[700,1] t> { y = Gather(t, "
      "ids) z = Identity(attention_mask) }");
  EXPECT_THAT(drawn("attention_mask"), Each(1));
  const auto mask = drawn("attention_mask", 1), ids = drawn("ids", 1);
  EXPECT_EQ(mask[8], 0) << "shorter";
  EXPECT_EQ(mask[4], 1) << "at least half";
  for (std::size_t i = 0; i < 18; ++i) {
    EXPECT_TRUE(i % 9 == 0 || mask[i] <= mask[i - 1]) << "a prefix: " << i;
    EXPECT_TRUE(mask[i] == 1 || ids[i] == 0) << i;
  }
}

TEST_F(RulesTest, PositionsContinueBehindTheCache) {
  read(
      "(int64[1,3] position_ids, float[1,4] cache) => (float[1,3,1] y) <float[9,1] t = {0,0,0,0,0,0,0,0,0}> { y "
      "= "
      "Gather(t, position_ids) }");
  plan.dims["past_len"] = 5;
  EXPECT_THAT(drawn("position_ids"), ElementsAre(5, 6, 7));
  plan.dims["past_len"] = 7;
  EXPECT_THAT(drawn("position_ids"), ElementsAre(7, 8, 0)) << "never beyond the table";
  plan.dims = {{"kv_len", 2}, {"past_len + seq", 9}};
  EXPECT_THAT(drawn("position_ids"), ElementsAre(2, 3, 4)) << "by other names as well";
}

TEST_F(RulesTest, ConditionsAreBothOverTheSamples) {
  read(
      "(bool a, bool b, float[2] x) => (float[2] y, float[2] z) { y = If (a) <then_branch = p () => (float[2] c) { c = "
      "Neg(x) }, else_branch = q () => (float[2] d) { d = Abs(x) }> z = If (b) <then_branch = r () => (float[2] e) { e "
      "= "
      "Neg(x) }, else_branch = s () => (float[2] f) { f = Abs(x) }> }");
  std::vector<double> a, b;
  for (std::int64_t i = 0; i < 3; ++i) a.push_back(drawn("a", i).front()), b.push_back(drawn("b", i).front());
  EXPECT_THAT(a, ElementsAre(1, 0, 1));
  EXPECT_THAT(b, ElementsAre(1, 1, 0));
}

TEST_F(RulesTest, ShapesAndSlicesAreLegal) {
  read(
      "(float[n,6] x, int64[2] shape, int64[1] starts, int64[1] ends, int64[2] wide, int64[3] parts) => (float[n,6] y) "
      "{ y = Reshape(x, shape) c = Slice(x, starts, ends) e = Expand(x, wide) p, q, r = Split <axis = 1> (x, parts) }");
  plan.dims["n"] = 5;
  EXPECT_THAT(drawn("shape"), ElementsAre(5, 6));
  EXPECT_THAT(drawn("wide"), ElementsAre(1, 1));
  EXPECT_THAT(drawn("parts"), ElementsAre(2, 2, 2));
  EXPECT_TRUE(drawn("starts").front() == 0 || drawn("starts").front() == 1);
  plan.dims.clear();
  plan.unnamed_dim = 4;
  EXPECT_THAT(drawn("shape"), ElementsAre(-1, 1)) << "where the data's shape is not known";
}

TEST_F(RulesTest, NumbersThatAModelKnowsTakeTurns) {
  read("(int64 mode) => (bool y, bool z) <int64 a = {3}, int64 b = {8}> { y = Equal(mode, a) z = Equal(b, mode) }");
  EXPECT_EQ(drawn("mode", 0).front(), 3);
  EXPECT_EQ(drawn("mode", 1).front(), 8);
  EXPECT_THAT(describe(plan.rules.at("mode"), {}), HasSubstr("3 or 8"));
}

TEST_F(RulesTest, LengthsGoByTheirNameWhereNothingElseTells) {
  read("(float[b,t] x, int64[3] x_lengths) => (float[b,t] y, int64[3] z) { y = Neg(x) z = Identity(x_lengths) }");
  plan.dims = {{"b", 1}, {"t", 5}};
  for (const double length : drawn("x_lengths", 1)) EXPECT_TRUE(length >= 1 && length <= 5);
}

TEST_F(RulesTest, SmallTypesGetSmallNumbers) {
  read("(int8[100] q, float s, int8 z) => (float[100] y) { y = DequantizeLinear(q, s, z) }");
  const auto q = drawn("q");
  EXPECT_LT(*std::ranges::min_element(q), -100);
  EXPECT_GT(drawn("s").front(), 0);
}

TEST_F(RulesTest, FloatsAloneHaveNoRule) {
  read("(float[2] x) => (float[2] y) { y = Relu(x) }");
  EXPECT_TRUE(plan.rules.empty());
}

TEST_F(RulesTest, TreesSeeBothSidesOfTheirThresholds) {
  read("(float[60,2] x) => (float[60,1] y) { y = Identity(x) }");
  plan.rules = rules_for(interface.inputs, {}, {{"x", {{1, {37.5, 40}}}}});
  const auto numbers = drawn("x");
  std::set<std::string> seen;
  for (std::size_t row = 0; row < 60; ++row) {
    EXPECT_LT(std::abs(numbers[2 * row]), 6) << "a column without thresholds";
    const double number = numbers[2 * row + 1];
    seen.insert(number < 37.5 ? "below" : number == 37.5 ? "at" : number < 40 ? "between" : "40 and above");
    EXPECT_GE(number, 35);
    EXPECT_LE(number, 42.5);
  }
  EXPECT_EQ(seen, (std::set<std::string>{"below", "at", "between", "40 and above"}));
  EXPECT_THAT(describe(plan.rules.at("x"), {}), HasSubstr("2 thresholds of its trees"));
  EXPECT_NE(drawn("x", 1), numbers);
}

TEST_F(RulesTest, ThreeSamplesOfOneRowSeeAllSidesOfASingleThreshold) {
  read("(float[1,4] x, float[1,1] z) => (float[1,4] y) { y = Identity(x) }");
  plan.rules = rules_for(interface.inputs, {}, {{"x", {{0, {5}}, {1, {5}}, {2, {5}}, {3, {5}}}}, {"z", {{0, {5}}}}});
  for (const bool is_varied : {true, false}) {
    plan.is_varied = is_varied;
    for (std::size_t column = 0; column < 5; ++column) {
      std::multiset<int> sides;
      for (std::int64_t sample = 0; sample < 3; ++sample) {
        const double number = column < 4 ? drawn("x", sample)[column] : drawn("z", sample)[0];
        sides.insert(number < 5 ? -1 : number > 5 ? 1 : 0);
      }
      EXPECT_EQ(sides, (std::multiset<int>{-1, 0, 1})) << column;
    }
  }
}

TEST_F(RulesTest, WholeNumbersLieOnBothSidesToo) {
  read("(int64[40,1] x) => (int64[40,1] y) { y = Identity(x) }");
  plan.rules = rules_for(interface.inputs, {}, {{"x", {{0, {0.5}}}}});
  const auto numbers = drawn("x");
  EXPECT_GT(std::ranges::count_if(numbers, [](double number) { return number < 0.5; }), 4);
  EXPECT_GT(std::ranges::count_if(numbers, [](double number) { return number > 0.5; }), 4);
}

}  // namespace
}  // namespace culprit
