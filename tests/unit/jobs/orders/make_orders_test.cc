#include "orders/make_orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace culprit::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

StepOrder steps_of(std::size_t count) {
  StepOrder steps;
  for (std::size_t i = 0; i < count; ++i) steps.push_back("s" + std::to_string(i));
  return steps;
}

TEST(MakeOrders, TheFirstOrderThenItsNeighboursSwapped) {
  const auto orders = make_orders({"a", "b", "c", "d", "e", "f"}, {.count = 7});
  ASSERT_THAT(orders, SizeIs(7));
  EXPECT_THAT(orders[0], ElementsAre("a", "b", "c", "d", "e", "f"));
  EXPECT_THAT(orders[1], ElementsAre("b", "a", "c", "d", "e", "f"));
  EXPECT_THAT(orders[5], ElementsAre("a", "b", "c", "d", "f", "e"));
  EXPECT_THAT(orders[6], ElementsAre("b", "c", "d", "e", "f", "a")) << "then one is moved to the end";
}

TEST(MakeOrders, ThenEachIsMovedToTheEndAndToTheFront) {
  const StepOrder steps = steps_of(39);
  const auto orders = make_orders(steps, {});
  ASSERT_THAT(orders, SizeIs(default_orders));
  std::size_t first = 0, last = 0;
  for (std::size_t i = 39; i < 39 + 2 * 39 - 4; ++i) {
    if (orders[i].front() != steps.front()) ++first;
    if (orders[i].back() != steps.back()) ++last;
    EXPECT_LE(inversions(orders[i], steps), 38);
  }
  EXPECT_EQ(first, 37U + 1U) << "without the neighbour's swap, and with the first one moved to the end";
  EXPECT_EQ(last, 37U + 1U);
}

TEST(MakeOrders, AllOrdersOfFewSteps) {
  const auto orders = make_orders(steps_of(5), {});
  EXPECT_THAT(orders, SizeIs(120));
  EXPECT_THAT((std::set<StepOrder>(orders.begin(), orders.end())), SizeIs(120));
  EXPECT_THAT(make_orders(steps_of(6), {}), SizeIs(default_orders));
  EXPECT_THAT(make_orders(steps_of(3), {.count = 1000}), SizeIs(6)) << "there are no more";
  EXPECT_THAT(make_orders({"a"}, {}), ElementsAre(ElementsAre("a")));
}

TEST(MakeOrders, NoneTwiceAndEachWithAllSteps) {
  for (const std::size_t count : {6U, 7U, 8U, 39U}) {
    const StepOrder steps = steps_of(count);
    const auto orders = make_orders(steps, {.count = 700});
    EXPECT_THAT(orders, SizeIs(700)) << count;
    EXPECT_THAT((std::set<StepOrder>(orders.begin(), orders.end())), SizeIs(700)) << count;
    for (StepOrder order : orders) {
      std::ranges::sort(order);
      StepOrder sorted = steps;
      std::ranges::sort(sorted);
      ASSERT_EQ(order, sorted);
    }
  }
}

TEST(MakeOrders, ASeedGivesTheSameOrdersAndAnotherOneOthers) {
  const StepOrder steps = steps_of(10);
  const auto orders = make_orders(steps, {.count = 30, .seed = 4});
  EXPECT_EQ(orders, make_orders(steps, {.count = 30, .seed = 4}));
  EXPECT_NE(orders, make_orders(steps, {.count = 30, .seed = 5}));
  const auto more = make_orders(steps, {.count = 40, .seed = 4});
  EXPECT_TRUE(std::equal(orders.begin(), orders.end(), more.begin())) << "more orders are only added";
}

TEST(MakeOrders, HowManyThereAre) {
  EXPECT_EQ(number_of_orders(0, 10), 1U);
  EXPECT_EQ(number_of_orders(4, 1000), 24U);
  EXPECT_EQ(number_of_orders(4, 24), 24U);
  EXPECT_EQ(number_of_orders(4, 20), 20U);
  EXPECT_EQ(number_of_orders(100, 5041), 5041U);
}

TEST(Inversions, ArePairsTheOtherWayRound) {
  EXPECT_EQ(inversions({"a", "b", "c"}, {"a", "b", "c"}), 0);
  EXPECT_EQ(inversions({"b", "a", "c"}, {"a", "b", "c"}), 1);
  EXPECT_EQ(inversions({"c", "a", "b"}, {"a", "b", "c"}), 2);
  EXPECT_EQ(inversions({"c", "b", "a"}, {"a", "b", "c"}), 3);
}

}  // namespace
}  // namespace culprit::testing
