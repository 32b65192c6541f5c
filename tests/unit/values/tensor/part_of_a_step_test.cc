#include "tensor/part_of_a_step.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace culprit {
namespace {

std::vector<float> moved(std::vector<float> values, const std::vector<float>& steps, std::uint64_t seed) {
  Random random(seed);
  move_by_part_of_a_step(values, steps, random);
  return values;
}

TEST(PartOfAStep, MovesEachElementByA500thOfTheSmallestStepAtMost) {
  const auto values = moved(std::vector<float>(1000, 2.5F), {4, 1, -2}, 1);
  const auto [low, high] = std::ranges::minmax(values);
  EXPECT_GE(low, 2.4979F);
  EXPECT_LE(high, 2.5021F);
  EXPECT_LT(low, 2.4985F);
  EXPECT_GT(high, 2.5015F);
}

TEST(PartOfAStep, EqualValuesHaveCoinsOfTheirOwn) {
  for (std::uint64_t seed = 1; seed <= 27; ++seed) {
    const auto values = moved(std::vector<float>(1000, 2.5F), {1}, seed);
    const auto up = std::ranges::count_if(values, [](float x) { return x > 2.5F; });
    EXPECT_GT(up, 400) << "of 1,000 ties about half go up, in each draw";
    EXPECT_LT(up, 600);
  }
}

TEST(PartOfAStep, TwoSeedsMoveOtherwiseAndOneAlike) {
  const std::vector<float> ties(64, 0.5F);
  EXPECT_EQ(moved(ties, {1}, 3), moved(ties, {1}, 3));
  EXPECT_NE(moved(ties, {1}, 3), moved(ties, {1}, 4));
}

TEST(PartOfAStep, WithoutAStepNothingMoves) {
  EXPECT_EQ(moved({1.5F, -2}, {}, 1), (std::vector<float>{1.5F, -2}));
  const auto still = moved({INFINITY, 1}, {INFINITY}, 1);
  EXPECT_EQ(still, (std::vector<float>{INFINITY, 1}));
  EXPECT_TRUE(std::isinf(moved({INFINITY}, {1}, 1)[0]));
}

}  // namespace
}  // namespace culprit
