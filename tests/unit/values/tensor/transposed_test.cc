#include "tensor/transposed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Tensor numbered(const Shape& shape) {
  std::vector<float> values(static_cast<std::size_t>(element_count(shape).value()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  return Tensor::of<float>(shape, values);
}

TEST(Transposed, AxesChangeTheirPlaces) {
  const auto turned = transposed(numbered({2, 3}), std::vector{1, 0}, {3, 2}).value();
  EXPECT_EQ(turned.shape(), (Shape{3, 2}));
  EXPECT_THAT(turned.as<float>(), ElementsAre(0, 3, 1, 4, 2, 5));
  const auto picture = transposed(numbered({1, 2, 2, 3}), std::vector{0, 2, 3, 1}, {1, 2, 3, 2}).value();
  EXPECT_THAT(picture.as<float>(), ElementsAre(0, 6, 1, 7, 2, 8, 3, 9, 4, 10, 5, 11));
}

TEST(Transposed, AxesOfOneMayBeMissingAndTheShapeMayBeAnotherOne) {
  const auto turned = transposed(numbered({1, 2, 1, 3}), std::vector{3, 1}, {6}).value();
  EXPECT_EQ(turned.shape(), (Shape{6}));
  EXPECT_THAT(turned.as<float>(), ElementsAre(0, 3, 1, 4, 2, 5));
  EXPECT_TRUE(transposed(numbered({0, 3}), std::vector{1, 0}, {3, 0}).value().as<float>().empty());
  EXPECT_THAT(transposed(numbered({}), {}, {1}).value().as<float>(), ElementsAre(0));
}

TEST(Transposed, WhatDoesNotFitIsSaid) {
  for (const auto& axes : {std::vector{0}, std::vector{0, 0}, std::vector{0, 2}, std::vector{-1, 0}})
    EXPECT_THAT(transposed(numbered({2, 3}), axes, {3, 2}).error().message, HasSubstr("of [2,3] do not make [3,2]"));
  EXPECT_FALSE(transposed(numbered({2, 3}), std::vector{1, 0}, {3, 3}));
  EXPECT_EQ(transposed(Tensor::from_strings({1}, {"s"}).value(), std::vector{0}, {1}).error().kind,
            ErrorKind::unsupported);
}

}  // namespace
}  // namespace culprit
