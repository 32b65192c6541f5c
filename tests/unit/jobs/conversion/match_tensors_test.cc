#include "conversion/match_tensors.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <random>

namespace culprit {
namespace {

using Kind = TensorMatch::Kind;

TensorOfNumbers drawn(const std::string& name, const Shape& shape, unsigned seed, int place = 0) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  TensorOfNumbers made{name, shape, std::vector<float>(static_cast<std::size_t>(element_count(shape).value())), place};
  std::ranges::generate(made.numbers, [&] { return normal(random); });
  return made;
}

TensorOfNumbers moved(const TensorOfNumbers& from, const std::vector<int>& axes, const Shape& shape, int place = 0) {
  const auto tensor = laid_out(Tensor::of(from.shape, from.numbers), AxisOrder{axes, false}, shape).value();
  return {"moved " + from.name, shape, {tensor.as<float>().begin(), tensor.as<float>().end()}, place};
}

TEST(MatchTensors, FindsEachInAnyLayout) {
  const std::vector sources{drawn("a", {3, 3, 4, 8}, 1), drawn("b", {3, 3, 8, 4}, 2), drawn("c", {16, 10}, 3)};
  const std::vector targets{moved(sources[2], {1, 0}, {10, 16}), moved(sources[1], {3, 2, 0, 1}, {4, 8, 3, 3}),
                            moved(sources[0], {3, 0, 1, 2}, {8, 3, 3, 4})};
  const auto found = match_tensors(sources, targets);
  ASSERT_EQ(found.size(), 3U);
  for (const auto& match : found) {
    EXPECT_EQ(match.kind, Kind::same);
    EXPECT_EQ(match.target, 2 - match.source);
    EXPECT_EQ(match.distance, 0);
  }
}

TEST(MatchTensors, WhatIsEqualIsMatchedInTheOrderOfTheNetwork) {
  std::vector<TensorOfNumbers> sources, targets;
  for (int i = 0; i < 4; ++i) {
    sources.push_back({"zero", {8}, std::vector<float>(8), i});
    targets.push_back({"zero", {8}, std::vector<float>(8), 3 - i});
  }
  for (const auto& match : match_tensors(sources, targets)) EXPECT_EQ(match.target, 3 - match.source);
  EXPECT_EQ(match_tensors(sources, targets).size(), 4U);
}

TEST(MatchTensors, OneWrongNumberIsAChange) {
  const std::vector sources{drawn("a", {4, 5, 6}, 1), drawn("b", {4, 5, 6}, 2)};
  std::vector targets{sources[1], moved(sources[0], {2, 1, 0}, {6, 5, 4})};
  targets[1].numbers[7] += 30;
  const auto found = match_tensors(sources, targets);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].target, 1U);
  EXPECT_EQ(found[0].kind, Kind::changed);
  EXPECT_FALSE(found[0].order.keeps_order());
  EXPECT_EQ(found[1].kind, Kind::same);
}

TEST(MatchTensors, CoarseNumbersAreAChange) {
  const std::vector sources{drawn("a", {30, 20}, 1)};
  std::vector targets{moved(sources[0], {1, 0}, {20, 30})};
  for (float& number : targets[0].numbers) number = std::round(number * 10) / 10;
  const auto found = match_tensors(sources, targets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Kind::changed);
  EXPECT_EQ(found[0].order.axes, (std::vector{1, 0}));
  EXPECT_NEAR(found[0].distance, 0.03, 0.01);
}

TEST(MatchTensors, AFlippedKernelIsScrambled) {
  const std::vector sources{drawn("a", {3, 3, 4, 8}, 1)};
  std::vector targets{moved(sources[0], {3, 2, 0, 1}, {8, 4, 3, 3})};
  for (std::size_t i = 0; i < targets[0].numbers.size(); i += 9)
    std::reverse(targets[0].numbers.begin() + static_cast<std::ptrdiff_t>(i),
                 targets[0].numbers.begin() + static_cast<std::ptrdiff_t>(i + 9));
  const auto found = match_tensors(sources, targets);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].kind, Kind::scrambled);
}

TEST(MatchTensors, OthersAreNotMatched) {
  EXPECT_TRUE(match_tensors({drawn("a", {50}, 1)}, {drawn("b", {49}, 1)}).empty());
  TensorOfNumbers large = drawn("b", {50}, 2);
  for (float& number : large.numbers) number *= 10;
  EXPECT_TRUE(match_tensors({drawn("a", {50}, 1)}, {large}).empty());
  EXPECT_TRUE(match_tensors({drawn("a", {8, 8}, 1)}, {drawn("b", {8, 8}, 2)}).empty());
}

}  // namespace
}  // namespace culprit
