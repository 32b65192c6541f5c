#include "orders/sum_up_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "orders/make_orders.h"

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

/// An optimizer that is none: a model that depends on the order, as a fingerprint of one letter.
VariantRecord made(const StepOrder& order, const std::string& fingerprint, std::int64_t nodes,
                   Verdict verdict = Verdict::equivalent) {
  VariantRecord variant;
  variant.recipe.passes = order;
  variant.fingerprint = fingerprint;
  variant.nodes = nodes;
  variant.verdict = verdict;
  variant.output_bits = "bits of " + fingerprint;
  return variant;
}

VariantRecord crashed(const StepOrder& order, EvidenceStage stage = EvidenceStage::optimize) {
  VariantRecord variant = made(order, "", 0, Verdict::optimizer_crashed);
  variant.output_bits = "";
  variant.evidence = {stage, EvidenceEnding::crashed};
  return variant;
}

/// All orders of a, b and c: a behind b makes fewer nodes, and c in front is wrong.
std::vector<VariantRecord> six() {
  return {made({"a", "b", "c"}, "x", 5),
          made({"b", "a", "c"}, "y", 4),
          made({"a", "c", "b"}, "x", 5),
          made({"b", "c", "a"}, "y", 4),
          made({"c", "a", "b"}, "z", 1, Verdict::diverged),
          crashed({"c", "b", "a"})};
}

std::vector<std::string> ids_of(const TriedOrders& tried) {
  std::vector<std::string> ids;
  for (const OrderResult& result : tried.results) ids.push_back(result.id + " x " + std::to_string(result.orders));
  return ids;
}

TEST(SumUpOrders, OrdersThatMakeTheSameModelAreOneResult) {
  const TriedOrders tried = sum_up_orders(six(), true, false);
  EXPECT_THAT(ids_of(tried), ElementsAre("R1 x 2", "R2 x 2", "R3 x 1", "R4 x 1"));
  EXPECT_THAT(results_of_variants(six()), ElementsAre(0, 1, 0, 1, 2, 3));
  EXPECT_EQ(tried.results[1].nodes, 4);
  EXPECT_EQ(tried.results[2].verdict, Verdict::diverged);
  EXPECT_FALSE(tried.results[2].is_right);
  EXPECT_TRUE(tried.results[2].is_wrong);
  EXPECT_FALSE(tried.results[0].is_wrong);
  EXPECT_EQ(tried.results[3].verdict, Verdict::optimizer_crashed) << "and the others were told all the same";
}

TEST(SumUpOrders, WhatMadeNoModelIsOneResultForEachWayToFail) {
  const TriedOrders tried = sum_up_orders({made({"a", "b", "c"}, "x", 5), crashed({"b", "a", "c"}),
                                           crashed({"a", "c", "b"}), crashed({"c", "b", "a"}, EvidenceStage::checker)},
                                          true, false);
  EXPECT_THAT(ids_of(tried), ElementsAre("R1 x 1", "R2 x 2", "R3 x 1"));
  EXPECT_THAT(tried.results[1].same_bits, ::testing::Eq(std::nullopt));
}

TEST(SumUpOrders, TheExampleIsTheNearestToTheFirstOrder) {
  const TriedOrders tried = sum_up_orders(
      {made({"a", "b", "c"}, "x", 5), made({"c", "b", "a"}, "y", 4), made({"b", "a", "c"}, "y", 4)}, true, false);
  EXPECT_THAT(tried.results[1].example, ElementsAre("b", "a", "c"));
  EXPECT_EQ(tried.results[1].inversions, 1);
  EXPECT_EQ(tried.results[1].moved, (MovedStep{"a", "b"}));
}

TEST(OneMove, MakesTheOrderOfTheFirst) {
  const StepOrder first = {"a", "b", "c", "d"};
  EXPECT_EQ(one_move({"b", "c", "a", "d"}, first), (MovedStep{"a", "c"}));
  EXPECT_EQ(one_move({"a", "d", "b", "c"}, first), (MovedStep{"d", "a"}));
  EXPECT_EQ(one_move({"d", "a", "b", "c"}, first), (MovedStep{"d", ""}));
  EXPECT_EQ(one_move({"b", "a", "c", "d"}, first), (MovedStep{"a", "b"})) << "a swap of neighbours";
  EXPECT_EQ(one_move(first, first), std::nullopt);
  EXPECT_EQ(one_move({"d", "c", "b", "a"}, first), std::nullopt);
  EXPECT_EQ(one_move({"b", "a", "d", "c"}, first), std::nullopt);
}

TEST(SumUpOrders, SameBitsAsTheFirstOrder) {
  auto variants = six();
  variants[1].output_bits = variants[0].output_bits;
  const TriedOrders tried = sum_up_orders(variants, true, false);
  EXPECT_EQ(tried.results[0].same_bits, true);
  EXPECT_EQ(tried.results[1].same_bits, true) << "another model that gives the same";
  EXPECT_EQ(tried.results[2].same_bits, false);
}

TEST(SumUpOrders, TheBestHasTheFewestNodesOfThoseThatAreRight) {
  const TriedOrders tried = sum_up_orders(six(), true, false);
  ASSERT_TRUE(tried.best);
  EXPECT_EQ(tried.results[*tried.best].id, "R2") << "R3 has fewer, and is wrong";
  EXPECT_EQ(best_variant(tried, six()), 1U);
}

TEST(SumUpOrders, OnATieTheNearest) {
  const TriedOrders tried = sum_up_orders(
      {made({"a", "b", "c"}, "x", 5), made({"c", "b", "a"}, "y", 4), made({"b", "a", "c"}, "z", 4)}, true, false);
  EXPECT_EQ(tried.results[*tried.best].id, "R3");
}

TEST(SumUpOrders, WithoutAJudgementNothingIsBest) {
  EXPECT_FALSE(sum_up_orders(six(), false, false).best);
  EXPECT_FALSE(best_variant(sum_up_orders(six(), false, false), six()));
  EXPECT_FALSE(sum_up_orders({crashed({"a", "b"})}, true, false).best);
  EXPECT_FALSE(sum_up_orders({made({"a", "b"}, "x", 5, Verdict::inconclusive)}, true, false).best);
  EXPECT_FALSE(sum_up_orders({}, true, false).best);
}

TEST(SumUpOrders, WhatDeviatesIsRightUnlessStrict) {
  const std::vector<VariantRecord> one = {made({"a", "b"}, "x", 5, Verdict::deviates)};
  EXPECT_TRUE(sum_up_orders(one, true, false).results[0].is_right);
  EXPECT_FALSE(sum_up_orders(one, true, true).results[0].is_right);
}

TEST(SumUpOrders, WhatFailsOnlyAsUsersRunItIsWrong) {
  std::vector<VariantRecord> one = {made({"a", "b"}, "x", 5)};
  Deployed& there = one[0].deployed.emplace();
  there.level = "all";
  there.verdict = Verdict::diverged;
  there.message = "y differs";
  const TriedOrders tried = sum_up_orders(one, true, false);
  EXPECT_EQ(tried.results[0].verdict, Verdict::diverged);
  EXPECT_EQ(tried.results[0].level, "all");
  EXPECT_EQ(tried.results[0].message, "y differs");
  EXPECT_TRUE(tried.results[0].is_wrong);
  EXPECT_FALSE(tried.best);
}

TEST(SwapsThatMatter, AreThoseThatChangeTheResult) {
  const TriedOrders tried = sum_up_orders(six(), true, false);
  ASSERT_THAT(tried.swaps, SizeIs(3));
  const SwappedSteps& ab = tried.swaps[0];
  EXPECT_EQ(ab.before + ab.after, "ab");
  EXPECT_EQ(ab.tried, 2) << "in front of c and behind it";
  EXPECT_EQ(ab.changed, 2);
  EXPECT_EQ(ab.result, "R1");
  EXPECT_EQ(ab.swapped, "R2");
  const SwappedSteps& bc = tried.swaps[2];
  EXPECT_EQ(bc.before + bc.after, "bc");
  EXPECT_EQ(bc.changed, 1) << "not behind a";
}

TEST(SwapsThatMatter, NoneWhereAllOrdersMakeOneModel) {
  const TriedOrders tried = sum_up_orders({made({"a", "b", "c"}, "x", 5), made({"b", "a", "c"}, "x", 5)}, true, false);
  ASSERT_THAT(tried.swaps, SizeIs(1)) << "b and c were never swapped alone";
  EXPECT_EQ(tried.swaps[0].changed, 0);
  EXPECT_EQ(tried.swaps[0].result, "");
}

}  // namespace
}  // namespace culprit::testing
