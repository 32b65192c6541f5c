#include "conversion/axis_order.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace culprit {
namespace {

using ::testing::ElementsAre;

Tensor counted(const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape).value()));
  std::iota(values.begin(), values.end(), 0.0F);
  return Tensor::of(shape, values);
}

FoundOrder found(const Tensor& source, const Tensor& target) {
  const auto order = nearest_order(source.shape(), source.as<float>(), target.shape(), target.as<float>(), 0.1);
  EXPECT_TRUE(order);
  return order.value_or(FoundOrder{{}, -1});
}

TEST(AxisOrder, KernelsOfFrameworksAreFoundInEachOther) {
  const Tensor hwio = counted({3, 2, 4, 5});
  for (const auto& [axes, shape] : {std::pair{std::vector{3, 2, 0, 1}, Shape{5, 4, 3, 2}},     // OIHW
                                    std::pair{std::vector{3, 0, 1, 2}, Shape{5, 3, 2, 4}},     // OHWI
                                    std::pair{std::vector{2, 3, 0, 1}, Shape{20, 1, 3, 2}},    // depthwise
                                    std::pair{std::vector{0, 1, 2, 3}, Shape{24, 5}},          // flat
                                    std::pair{std::vector{3, 2, 1, 0}, Shape{5, 4, 1, 6}}}) {  // W before H, flat
    const AxisOrder order{axes, false};
    const Tensor target = laid_out(hwio, order, shape).value();
    const auto again = found(hwio, target);
    EXPECT_EQ(again.distance, 0);
    EXPECT_TRUE(laid_out(hwio, again.order, shape)->identical(target)) << to_string(shape);
  }
}

TEST(AxisOrder, OfATargetWithMoreAxes) {
  const Tensor flat = counted({6, 20});  // [model, heads * dim]
  const Tensor heads = laid_out(counted({6, 4, 5}), AxisOrder{{1, 0, 2}, false}, {4, 6, 5}).value();
  const auto order = found(flat, heads);
  EXPECT_TRUE(order.order.of_target);
  EXPECT_THAT(order.order.axes, ElementsAre(1, 0, 2));
  EXPECT_TRUE(laid_out(flat, order.order, {4, 6, 5})->identical(heads));
}

TEST(AxisOrder, WhatMovesNothingComesFirst) {
  EXPECT_TRUE(axis_orders({2, 2}, {2, 2}).front().keeps_order());
  EXPECT_EQ(axis_orders({2, 2}, {2, 2}).size(), 2U);
  EXPECT_EQ(axis_orders({1, 3, 1}, {3}).size(), 1U);
  EXPECT_EQ(axis_orders({2, 3}, {3, 2}).size(), 2U);  // as it is, and turned
  EXPECT_TRUE(axis_orders({2, 3}, {7}).empty());
  EXPECT_TRUE(axis_orders({2, 2, 2, 2, 2, 2, 2}, {128}).empty());
  EXPECT_TRUE(axis_orders({-1, 3}, {3, -1}).empty());
  EXPECT_EQ(axis_orders({}, {1, 1}).size(), 1U);
}

TEST(AxisOrder, TheNearestIsFoundAmongChangedNumbers) {
  const Tensor source = counted({4, 3, 5});
  const Tensor exact = laid_out(source, AxisOrder{{2, 0, 1}, false}, {5, 4, 3}).value();
  std::vector<float> values(exact.as<float>().begin(), exact.as<float>().end());
  for (float& value : values) value *= 1.01F;
  const auto order = found(source, Tensor::of<float>({5, 4, 3}, values));
  EXPECT_THAT(order.order.axes, ElementsAre(2, 0, 1));
  EXPECT_NEAR(order.distance, 0.01, 1e-6);
}

TEST(AxisOrder, WhatHasTheSameElementsInNoOrderIsFarApart) {
  const Tensor source = counted({4, 6});
  std::vector<float> values(source.as<float>().begin(), source.as<float>().end());
  std::ranges::reverse(values);
  EXPECT_GT(found(source, Tensor::of<float>({4, 6}, values)).distance, 0.5);
}

TEST(AxisOrder, DistanceKnowsWhatIsNoNumber) {
  const float nan = std::nanf(""), infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> one{1, nan, infinity, 3}, other{1, nan, infinity, 2}, third{1, 0, infinity, 3};
  EXPECT_DOUBLE_EQ(distance(one, other), 0.25);
  EXPECT_TRUE(std::isinf(distance(one, third)));
  EXPECT_EQ(distance(std::vector<float>{0, 0}, std::vector<float>{0, 0}), 0);
  EXPECT_TRUE(std::isinf(distance(std::vector<float>{0, 0}, std::vector<float>{0, 1})));
}

TEST(AxisOrder, PlacesSayWhereElementsCameFrom) {
  EXPECT_THAT(places({{1, 0}, false}, {2, 3}, {3, 2}), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_THAT(places({{1, 0}, true}, {6}, {2, 3}), ElementsAre(0, 2, 4, 1, 3, 5));
  EXPECT_EQ(laid_out(counted({2, 3}), AxisOrder{{0, 1}, false}, {7}).error().kind, ErrorKind::internal);
  EXPECT_EQ(to_string(AxisOrder{{1, 0}, false}, {2, 3}, {3, 2}), "axes 1, 0 of [2,3]");
}

}  // namespace
}  // namespace culprit
