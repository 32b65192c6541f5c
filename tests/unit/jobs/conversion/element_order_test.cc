#include "conversion/faults/element_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "conversion/axis_order.h"

namespace culprit {
namespace {

using Numbers = std::vector<float>;

Numbers counting(const Shape& shape) {
  Numbers numbers(static_cast<std::size_t>(element_count(shape).value()));
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  return numbers;
}

Numbers turned(const Numbers& numbers, const Shape& shape, const std::vector<int>& axes) {
  Numbers found;
  for (const std::int64_t place : places({axes, false}, shape, {}))
    found.push_back(numbers[static_cast<std::size_t>(place)]);
  return found;
}

std::string order_told(const Shape& shape, const Numbers& found, const std::vector<Shape>& pictures = {}) {
  const auto order = element_order(shape, counting(shape), found, pictures);
  return order ? to_string(*order, shape) : "as it is";
}

TEST(ElementOrder, IsNothingWhereAllStandsWhereItShould) {
  EXPECT_EQ(order_told({3, 4}, counting({3, 4})), "as it is");
}

TEST(ElementOrder, AxesOfSquareAndOfOtherTensors) {
  EXPECT_EQ(order_told({4, 4}, turned(counting({4, 4}), {4, 4}, {1, 0})), "axes 1, 0 of [4,4]");
  EXPECT_EQ(order_told({3, 5}, turned(counting({3, 5}), {3, 5}, {1, 0})), "axes 1, 0 of [3,5]");
  EXPECT_EQ(order_told({2, 3, 3, 3}, turned(counting({2, 3, 3, 3}), {2, 3, 3, 3}, {0, 1, 3, 2})),
            "axes 0, 1, 3, 2 of [2,3,3,3]");
}

TEST(ElementOrder, FlippedKernels) {
  const Shape shape{2, 2, 3, 3};
  Numbers found = counting(shape);
  for (auto at = found.begin(); at != found.end(); at += 9) std::reverse(at, at + 9);
  EXPECT_EQ(order_told(shape, found), "flipped along axes 2, 3");
  found = counting({3, 4});
  for (auto at = found.begin(); at != found.end(); at += 4) std::reverse(at, at + 4);
  EXPECT_EQ(order_told({3, 4}, found), "flipped along axis 1");
}

/// A table that begins one row late: its last row is gone.
TEST(ElementOrder, ATableOffByOne) {
  Numbers found(3, 0);
  const Numbers right = counting({6, 3});
  found.insert(found.end(), right.begin(), right.end() - 3);
  EXPECT_EQ(order_told({6, 3}, found), "moved by 1 along axis 0");
}

TEST(ElementOrder, GatesInAnotherOrder) {
  const Numbers right = counting({8, 3});
  Numbers found;
  for (const int gate : {0, 2, 3, 1}) found.insert(found.end(), right.begin() + gate * 6, right.begin() + gate * 6 + 6);
  EXPECT_EQ(order_told({8, 3}, found), "blocks 0, 2, 3, 1 along axis 0");
}

/// Rows of a dense layer that count [C, H, W], where they should count [H, W, C].
TEST(ElementOrder, RowsOfAPicture) {
  const Shape picture{2, 3, 5}, shape{30, 7};
  const Numbers right = counting(shape);
  Numbers found;
  for (const std::int64_t row : places({{1, 2, 0}, false}, picture, {}))
    found.insert(found.end(), right.begin() + row * 7, right.begin() + row * 7 + 7);
  EXPECT_EQ(order_told(shape, found, {picture}), "axis 0 counts an image of [2,3,5] with its axes as 1, 2, 0");
  const auto unknown = element_order(shape, right, found);
  ASSERT_TRUE(unknown);
  EXPECT_NE(unknown->kind, ElementOrder::Kind::rows);
}

TEST(ElementOrder, WhateverElse) {
  Numbers found = counting({5, 7});
  std::swap(found[3], found[20]);
  std::swap(found[11], found[30]);
  const auto order = element_order({5, 7}, counting({5, 7}), found);
  ASSERT_TRUE(order);
  EXPECT_EQ(order->kind, ElementOrder::Kind::other);
  EXPECT_EQ(order->elsewhere, 4);
}

}  // namespace
}  // namespace culprit
