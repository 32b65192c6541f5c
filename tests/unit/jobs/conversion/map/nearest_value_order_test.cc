#include <gmock/gmock.h>

#include "conversion/map/changed_slices.h"
#include "map_bench.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<Tensor> samples_of(const Shape& shape, int count = 2) {
  std::vector<Tensor> samples;
  for (int i = 0; i < count; ++i) samples.push_back(normal_tensor(shape, static_cast<std::uint64_t>(i + 1)));
  return samples;
}

template <class Change>
std::vector<Tensor> each(std::vector<Tensor> samples, const Change& change) {
  for (Tensor& sample : samples) sample = change(sample);
  return samples;
}

TEST(NearestValueOrder, OneOrderForAllSamples) {
  const auto source = samples_of({2, 3, 4, 4});
  auto target = each(source, [](const Tensor& t) { return with_axes(t, {0, 2, 3, 1}); });
  auto found = nearest_value_order(source, target, true, 1e-3);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->order.axes.axes, ElementsAre(0, 2, 3, 1));
  EXPECT_EQ(found->apart.distance, 0);
  target[1] = with_axes(source[1], {0, 3, 2, 1});
  EXPECT_FALSE(nearest_value_order(source, target, true, 1e-3));
}

TEST(NearestValueOrder, OfRichShapesWhereOneSampleIsPoor) {
  const std::vector<Tensor> source{normal_tensor({1, 3, 1, 4}, 1), normal_tensor({1, 3, 5, 4}, 2)};
  const auto target = each(source, [](const Tensor& t) { return with_axes(t, {0, 2, 3, 1}); });
  const auto found = nearest_value_order(source, target, true, 1e-3);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->order.axes.axes, ElementsAre(0, 2, 3, 1));
}

TEST(NearestValueOrder, WhatMayNotMoveStays) {
  const auto source = samples_of({1, 3, 4});
  const auto turned = each(source, [](const Tensor& t) { return with_axes(t, {0, 2, 1}); });
  EXPECT_FALSE(nearest_value_order(source, turned, false, 1e-3));
  const auto flat = each(source, [](const Tensor& t) { return laid_out(t, ValueOrder{}, {1, 12}).value(); });
  const auto found = nearest_value_order(source, flat, false, 1e-3);
  ASSERT_TRUE(found);
  EXPECT_TRUE(found->order.moves_nothing());
}

TEST(NearestValueOrder, ChannelsInAnotherOrder) {
  const auto source = samples_of({1, 4, 3, 3});
  auto target = each(source, [](const Tensor& t) { return with_slices(t, 1, {2, 0, 3, 1}); });
  auto found = nearest_value_order(source, target, true, 1e-3);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->order.channels, ElementsAre(2, 0, 3, 1));
  EXPECT_EQ(found->order.channel_axis, 1);
  EXPECT_EQ(found->apart.distance, 0);
  target = each(target, [](const Tensor& t) { return with_axes(t, {0, 2, 3, 1}); });
  found = nearest_value_order(source, target, true, 1e-3);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->order.channel_axis, 3);
  for (std::size_t i = 0; i < source.size(); ++i)
    EXPECT_TRUE(laid_out(source[i], found->order, target[i].shape())->identical(target[i]));
  target[0] = with_slices(target[0], 3, {1, 0, 2, 3});  // another order than in the other sample
  EXPECT_FALSE(nearest_value_order(source, target, true, 1e-3));
}

TEST(NearestValueOrder, OrdersThatAreGivenComeFirst) {
  const std::vector<Tensor> source{Tensor::of<float>({1, 2, 2}, {1, 2, 2, 1})};  // as it is, or turned: both are right
  const ValueOrder turned{{{0, 2, 1}}};
  EXPECT_TRUE(nearest_value_order(source, source, true, 1e-3)->order.moves_nothing());
  EXPECT_EQ(nearest_value_order(source, source, true, 1e-3, {turned})->order, turned);
}

TEST(NearestValueOrder, WholeNumbersAgreeInAllDigits) {
  const std::vector<Tensor> source{Tensor::of<std::int64_t>({3}, {16777216, 5, 9})};
  EXPECT_TRUE(nearest_value_order(source, std::vector{Tensor::of<std::int32_t>({3}, {16777216, 5, 9})}, true, 1e-2));
  EXPECT_FALSE(nearest_value_order(source, std::vector{Tensor::of<std::int32_t>({3}, {16777217, 5, 9})}, true, 1e-2));
  EXPECT_FALSE(nearest_value_order(source, std::vector{Tensor::of<float>({3}, {16777216, 5, 9})}, true, 1e-2));
}

TEST(NearestValueOrder, FloatsOfOtherWidths) {
  const std::vector<Tensor> source = samples_of({1, 2, 50});
  const auto halves = each(source, [](const Tensor& t) { return cast(with_axes(t, {0, 2, 1}), DType::f16).value(); });
  const auto found = nearest_value_order(source, halves, true, 1e-2);
  ASSERT_TRUE(found);
  EXPECT_THAT(found->order.axes.axes, ElementsAre(0, 2, 1));
}

TEST(ChangedSlices, EqualOnesStayAndTheNearestIsTaken) {
  const std::vector<Shape> shapes{{4, 4}};
  const std::vector<float> source{0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 1, 2, 3, 4.01F};
  const std::vector<float> target{0, 0, 0, 0, 1, 2, 3, 4.01F, 0, 0, 0, 0, 1, 2, 3, 4};
  EXPECT_THAT(changed_slices({source, target, shapes}, 0, 1e-2).value(), ElementsAre(0, 3, 2, 1));
  EXPECT_FALSE(changed_slices({source, target, shapes}, 0, 1e-4) != std::vector<std::int64_t>({0, 3, 2, 1}));
}

TEST(ChangedSlices, FewNumbersSayNothing) {
  const std::vector<Shape> shapes{{2, 3}};
  const std::vector<float> source{1, 2, 3, 4, 5, 6}, target{4, 5, 6, 1, 2, 3};
  EXPECT_FALSE(changed_slices({source, target, shapes}, 0, 1e-3));
  const std::vector<Shape> two{{2, 3}, {2, 3}};
  const std::vector<float> more{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, turned{4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9};
  EXPECT_THAT(changed_slices({more, turned, two}, 0, 1e-3).value(), ElementsAre(1, 0));
  EXPECT_FALSE(changed_slices({more, turned, two}, 2, 1e-3));
}

}  // namespace
}  // namespace culprit
