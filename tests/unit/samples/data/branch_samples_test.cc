#include "data/branch_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "interfaces.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class ReachTest : public testing::Test {
 protected:
  [[nodiscard]] std::vector<Further> further(std::size_t count = 3) const {
    return further_samples(interface, plan, other, reach, {}, count);
  }

  /// The values of an input in each further sample.
  [[nodiscard]] std::vector<std::vector<double>> values(const std::string& name) const {
    std::vector<std::vector<double>> all;
    for (std::size_t which = 0; which < further().size(); ++which) {
      Sample sample = *synthesize(interface, plan, 0, static_cast<std::int64_t>(3 + which));
      reach_out(sample, interface, plan, reach, which, 0);
      const Tensor& tensor = std::ranges::find(sample.inputs, name, &NamedTensor::name)->value;
      std::vector<double>& its = all.emplace_back();
      for (std::int64_t i = 0; i < tensor.count(); ++i) its.push_back(tensor.number(i));
    }
    return all;
  }

  void compare(const std::string& input, const std::vector<double>& numbers, bool is_reduced = false) {
    reach.compared.inputs[input] = {numbers, is_reduced, numbers};
  }

  Interface interface;
  SynthesisPlan plan;
  std::optional<Sizes> other;
  Reach reach;
};

TEST_F(ReachTest, NothingWhereNothingIsCompared) {
  interface.inputs = {value("x", DType::f32, {open("n")}), value("c", DType::boolean, {})};
  plan.dims = {{"n", 5}};
  EXPECT_THAT(further(), IsEmpty());
}

TEST_F(ReachTest, ASingleNumberIsAboveAtAndBelowInTurn) {
  interface.inputs = {value("x", DType::f32, {fixed(1)}), value("i", DType::i64, {}), value("u", DType::u8, {})};
  compare("x", {40});
  compare("i", {7});
  compare("u", {0});
  EXPECT_THAT(values("x"), ElementsAre(ElementsAre(45), ElementsAre(40), ElementsAre(35)));
  EXPECT_THAT(values("i"), ElementsAre(ElementsAre(8), ElementsAre(7), ElementsAre(6)));
  EXPECT_THAT(values("u"), ElementsAre(ElementsAre(1), ElementsAre(0), ElementsAre(1))) << "nothing below zero";
  EXPECT_THAT(further()[0].what, Contains("numbers around 40 in 'x'"));
}

TEST_F(ReachTest, FloatsAreNeverJustEqualBehindArithmetic) {
  interface.inputs = {value("x", DType::f32, {}), value("i", DType::i32, {})};
  reach.compared.inputs = {{"x", {{40}}}, {"i", {{40}}}};
  EXPECT_THAT(values("x"), ElementsAre(ElementsAre(45), ElementsAre(35), ElementsAre(45)));
  EXPECT_THAT(values("i")[1], ElementsAre(40));
}

TEST_F(ReachTest, SomeNumbersAreMetExactlyAndOthersLieBehindArithmetic) {
  interface.inputs = {value("x", DType::f32, {})};
  reach.compared.inputs = {{"x", {{0.5, 40}, false, {0.5}}}};
  const auto drawn = values("x");
  EXPECT_THAT(drawn, Contains(ElementsAre(0.5)));
  EXPECT_THAT(drawn, testing::Not(Contains(ElementsAre(40))));
}

TEST_F(ReachTest, OfManyElementsHalfAreOnAllSides) {
  interface.inputs = {value("x", DType::f32, {fixed(200)})};
  compare("x", {40});
  ASSERT_THAT(values("x"), SizeIs(1));
  const auto drawn = values("x").front();
  for (const double side : {45.0, 40.0, 35.0}) EXPECT_GE(std::ranges::count(drawn, side), 10) << side;
  EXPECT_GE(std::ranges::count_if(drawn, [](double x) { return x < 10; }), 50);
}

TEST_F(ReachTest, AllElementsWhereTheLargestIsCompared) {
  interface.inputs = {value("x", DType::f32, {fixed(4)})};
  compare("x", {40}, true);
  EXPECT_THAT(values("x"), ElementsAre(Each(45), Each(40), Each(35)));
}

TEST_F(ReachTest, IndicesStayWithinTheirTableAndOtherRulesSayAll) {
  interface.inputs = {value("ids", DType::i64, {fixed(100)}), value("mask", DType::i64, {fixed(4)})};
  plan.rules["ids"].high = 9;
  plan.rules["ids"].is_index = true;
  plan.rules["mask"].way = Rule::Way::mask;
  compare("ids", {9});
  compare("mask", {0});
  ASSERT_THAT(values("ids"), SizeIs(1));
  EXPECT_THAT(values("ids").front(), Contains(9));
  EXPECT_THAT(values("ids").front(), Each(testing::AllOf(testing::Ge(0), testing::Le(9))));
  EXPECT_THAT(values("mask").front(), Each(testing::AnyOf(0, 1)));
}

TEST_F(ReachTest, RowsThatStandOutAreAtTheEndsAndAmongTheOthers) {
  interface.inputs = {value("ids", DType::i64, {fixed(2), fixed(50)}), value("one", DType::i64, {})};
  plan.rules["ids"].high = plan.rules["one"].high = 999;
  plan.rules["ids"].is_index = plan.rules["one"].is_index = true;
  reach.rows = {{"ids", {700, 8, 5000}}, {"one", {3, 4, 5}}};
  const auto drawn = values("ids");
  ASSERT_THAT(drawn, SizeIs(3)) << "a single number takes as many turns as there are rows";
  for (const std::size_t at : {0U, 1U, 2U, 47U, 49U, 50U, 99U}) {
    EXPECT_EQ(drawn[0][at], 700) << at;
    EXPECT_EQ(drawn[1][at], 8) << at;
  }
  EXPECT_GE(std::ranges::count(drawn[0], 8), 5);
  EXPECT_GE(std::ranges::count_if(drawn[0], [](double x) { return x != 700 && x != 8; }), 20);
  EXPECT_THAT(drawn[0], testing::Not(Contains(5000))) << "not in the table";
  EXPECT_THAT(values("one"), ElementsAre(ElementsAre(3), ElementsAre(4), ElementsAre(5)));
  EXPECT_THAT(further()[0].what[0], testing::HasSubstr("rows that stand out (700, 8) in 'ids'"));
}

TEST_F(ReachTest, WherePlacesAreFewOtherRowsStayBesideTheOneThatStandsOut) {
  interface.inputs = {value("ids", DType::i64, {fixed(8)})};
  plan.rules["ids"].high = 999;
  plan.rules["ids"].is_index = true;
  reach.rows = {{"ids", {700}}};
  EXPECT_THAT(values("ids").front(), Contains(700).Times(testing::Ge(6))) << "three at each end";
  reach.is_of_two = true;
  ASSERT_GE(values("ids").size(), 2U);
  const auto drawn = values("ids")[1];
  EXPECT_EQ(drawn.front(), 700);
  EXPECT_EQ(drawn.back(), 700);
  EXPECT_GE(std::set<double>(drawn.begin(), drawn.end()).size(), 4) << "enough to be known for whole numbers";
}

TEST_F(ReachTest, OfTwoModelsAnInputWithFewPlacesIsMadeLongerEveryOtherTime) {
  interface.inputs = {value("ids", DType::i64, {open("n"), fixed(4)}), value("x", DType::f32, {open("m")})};
  plan.dims = {{"n", 1}, {"m", 1}};
  plan.rules["ids"].high = 999;
  plan.rules["ids"].is_index = true;
  reach.rows = {{"ids", {700}}};
  EXPECT_EQ(further().front().dims.at("n"), 1) << "one model alone";
  reach.is_of_two = true;
  const auto found = further();
  ASSERT_GE(found.size(), 2);
  EXPECT_EQ(found[1].dims.at("n"), 8) << "32 places";
  EXPECT_EQ(found[1].dims.at("m"), 1) << "nothing is asked of 'x'";
}

TEST_F(ReachTest, NanAndInfinitiesWhereTheyAreLookedFor) {
  interface.inputs = {value("x", DType::f32, {fixed(100)}), value("i", DType::i32, {fixed(4)})};
  reach.compared.inputs["x"].asks_nan = reach.compared.inputs["i"].asks_nan = true;
  ASSERT_THAT(values("x"), SizeIs(1));
  const auto nans = std::ranges::count_if(values("x").front(), [](double x) { return std::isnan(x); });
  EXPECT_GE(nans, 20);
  EXPECT_LE(nans, 80);
  reach.compared.inputs["x"] = {};
  reach.compared.inputs["x"].asks_infinite = true;
  EXPECT_THAT(values("x").front(), Contains(INFINITY));
  EXPECT_THAT(values("x").front(), Contains(-INFINITY));
}

TEST_F(ReachTest, OfTwoModelsIndicesRepeatAndAreBelowZeroAndBatchesAreLarger) {
  interface.inputs = {value("i", DType::i64, {open("batch"), fixed(40)})};
  plan.dims = {{"batch", 1}};
  other = Sizes{{"batch", 2}};
  plan.rules["i"].high = 9;
  plan.rules["i"].is_index = true;
  reach.compared.indices = {"i"};
  EXPECT_THAT(further(), IsEmpty()) << "of one model indices stay as they are";
  reach.is_of_two = true;
  ASSERT_THAT(further(), SizeIs(2));
  EXPECT_EQ(further()[0].dims.at("batch"), 3);
  EXPECT_GE(std::ranges::count(values("i")[0], values("i")[0][0]), 15) << "the same one often";
  EXPECT_THAT(values("i")[0], Each(testing::Ge(0)));
  EXPECT_GE(std::ranges::count_if(values("i")[1], [](double x) { return x < 0; }), 10);
  EXPECT_THAT(values("i")[1], Each(testing::Ge(-10)));
}

TEST_F(ReachTest, WordsOfTheGraph) {
  interface.inputs = {value("s", DType::string, {fixed(1)})};
  reach.compared.words["s"] = {"fi", "en"};
  ASSERT_THAT(further(), SizeIs(2));
  Sample sample = *synthesize(interface, plan, 0, 3);
  reach_out(sample, interface, plan, reach, 1, 0);
  EXPECT_THAT(sample.inputs[0].value.strings(), ElementsAre("en"));
}

TEST_F(ReachTest, IntegersThatSteerNothingAreNegativeAndLarge) {
  interface.inputs = {value("i", DType::i16, {fixed(100)}), value("one", DType::i32, {}),
                      value("j", DType::i32, {fixed(50)})};
  reach.plain = {"i", "one"};
  ASSERT_THAT(values("i"), SizeIs(2));
  const auto drawn = values("i").front();
  EXPECT_LT(*std::ranges::min_element(drawn), -30000);
  EXPECT_EQ(*std::ranges::max_element(drawn), 32767) << "the largest of its type";
  EXPECT_LT(values("one")[0][0], -1000);
  EXPECT_GT(values("one")[1][0], 1000);
  EXPECT_THAT(values("j").front(), Each(testing::AnyOf(0, 1))) << "it may steer";
}

TEST_F(ReachTest, LengthsOnTheSidesWhereNoneWas) {
  interface.inputs = {value("x", DType::f32, {open("batch"), open("length")}),
                      value("m", DType::f32, {open("length + 1")})};
  plan.dims = {{"batch", 1}, {"length", 5}, {"length + 1", 6}};
  other = Sizes{{"batch", 2}, {"length", 12}, {"length + 1", 13}};
  reach.compared.sizes = {{"length", {8, 40}}, {"batch", {1}}};
  const auto more = further();
  ASSERT_THAT(more, SizeIs(3));
  EXPECT_EQ(more[0].dims, (Sizes{{"batch", 1}, {"length", 41}, {"length + 1", 42}}));
  EXPECT_EQ(more[1].dims.at("length"), 40);
  EXPECT_EQ(more[2].dims.at("length"), 8);
  EXPECT_THAT(more[0].what, ElementsAre("length=41"));
}

TEST_F(ReachTest, FlagsHaveAllCombinationsOfTwo) {
  interface.inputs = {value("a", DType::boolean, {}), value("b", DType::boolean, {fixed(1)})};
  plan.rules = rules_for(interface.inputs, {});
  std::set<std::pair<double, double>> seen;
  EXPECT_THAT(further(), SizeIs(1));
  EXPECT_THAT(further(4), IsEmpty()) << "four samples have them all";
  for (std::int64_t i = 0; i < 4; ++i) {
    const Sample sample = *synthesize(interface, plan, 0, i);
    seen.emplace(sample.inputs[0].value.number(0), sample.inputs[1].value.number(0));
  }
  EXPECT_THAT(seen, SizeIs(4));
}

}  // namespace
}  // namespace culprit
