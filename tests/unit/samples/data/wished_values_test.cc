#include "data/wished_values.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "data/vary_floats.h"

namespace culprit {
namespace {

std::vector<double> filled(Wish wish, const Shape& shape, std::size_t round = 0, const WishDetails& details = {}) {
  Random random(7, "test");
  std::vector<double> values(static_cast<std::size_t>(element_count(shape).value()), 0.125);
  for (const auto& [element, value] : targets(wish, shape, details, round, random)) {
    values.at(static_cast<std::size_t>(element)) = value;
  }
  return values;
}

TEST(Wishes, ANegativeBorderLeavesTheMiddleAndEveryOtherPlane) {
  const auto values = filled(Wish::negative_border, {1, 2, 8, 8});
  EXPECT_LT(values[0], 0);
  EXPECT_LT(values[63], 0);
  EXPECT_EQ(values[3 * 8 + 3], 0.125);
  EXPECT_EQ(values[64], 0.125);
  EXPECT_LT(filled(Wish::negative_border, {1, 2, 8, 8}, 1)[64], 0) << "the other planes in the next candidate";
}

TEST(Wishes, TheFirstSideOfExtremesOverflowsAndHidesTheLargestInTheMiddle) {
  const auto values = filled(Wish::extreme, {1, 9});
  const auto largest = std::ranges::max_element(values);
  const auto overflows = [](double x) { return x > 709.8; };
  EXPECT_LT(std::ranges::find_if(values, overflows), largest);
  EXPECT_EQ(*largest, 900);
}

TEST(Wishes, RowsLieAlongTheAxis) {
  const auto values = filled(Wish::ties, {2, 3, 2}, 0, {1});
  for (const std::size_t start : {0U, 6U}) {  // first row of each batch: elements start, start + 2, start + 4
    const std::vector<double> row = {values[start], values[start + 2], values[start + 4]};
    EXPECT_EQ(std::ranges::count(row, *std::ranges::max_element(row)), 2) << start;
  }
}

TEST(Wishes, ZerosHaveBothSignsAndNanComesWithBothInfinities) {
  const auto zeros = filled(Wish::signed_zeros, {64});
  EXPECT_TRUE(std::ranges::any_of(zeros, [](double x) { return x == 0 && std::signbit(x); }));
  EXPECT_TRUE(std::ranges::any_of(zeros, [](double x) { return x == 0 && !std::signbit(x); }));
  const auto odd = filled(Wish::not_finite, {64});
  EXPECT_TRUE(std::ranges::any_of(odd, [](double x) { return std::isnan(x); }));
  EXPECT_GT(std::ranges::count_if(odd, [](double x) { return std::isfinite(x); }), 60);
  EXPECT_EQ(filled(Wish::not_finite, {2}), (std::vector<double>{0.125, 0.125}));
}

TEST(Wishes, EachTypeHasItsOwn) {
  EXPECT_TRUE(is_for(Wish::ties, DType::f16));
  EXPECT_FALSE(is_for(Wish::large, DType::i64)) << "ids must stay within their table";
  EXPECT_TRUE(is_for(Wish::distinct, DType::i64));
  EXPECT_TRUE(is_for(Wish::both_truths, DType::boolean));
}

TEST(Wishes, VariationsAnswerTheWishesAndSpareWhatSteers) {
  EXPECT_EQ(variations_for({Wish::ties})[1], Variation::levels);
  EXPECT_EQ(variations_for({Wish::extreme, Wish::negative_border})[2], Variation::below);
  const std::vector<NamedTensor> sample = {{"x", Tensor::of<float>({4}, {1, -2, 3, -4})},
                                           {"bound", Tensor::of<float>({1}, {6})},
                                           {"ids", Tensor::of<std::int64_t>({1}, {3})}};
  Random random(1, "test");
  const auto made = varied(sample, Variation::larger, {"bound"}, random);
  EXPECT_TRUE(made[0].value.identical(Tensor::of<float>({4}, {16, -32, 48, -64})));
  EXPECT_TRUE(made[1].value.identical(sample[1].value));
  EXPECT_TRUE(made[2].value.identical(sample[2].value));
}

TEST(Wishes, AllZerosCanBeVaried) {
  Random random(1, "test");
  for (const Variation variation : variations_for({})) {
    const auto made = varied({{"x", Tensor::of<float>({2, 2}, {0, 0, 0, 0})}}, variation, {}, random);
    EXPECT_TRUE(std::isfinite(made[0].value.number(0))) << words_for(variation);
  }
}

}  // namespace
}  // namespace culprit
