#include "conversion/faults/rounding_grid.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "conversion/faults/wrong_numbers.h"

namespace culprit {
namespace {

using Numbers = std::vector<float>;

Numbers drawn_numbers(std::size_t count, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  Numbers numbers(count);
  for (float& number : numbers) number = normal(random) * 0.3F;
  return numbers;
}

Numbers to_decimals(Numbers numbers, float unit) {
  for (float& number : numbers) number = std::round(number * unit) / unit;
  return numbers;
}

Numbers narrowed_to(const Numbers& numbers, DType type) {
  const Tensor whole = Tensor::of<float>({static_cast<std::int64_t>(numbers.size())}, numbers);
  const Tensor back = cast(cast(whole, type).value(), DType::f32).value();
  return {back.as<float>().begin(), back.as<float>().end()};
}

std::string grid_told(const Numbers& right, const Numbers& found, const Numbers& factor = {}) {
  const auto grid = grid_of(right, found, factor);
  return grid ? to_string(*grid) : "none";
}

TEST(RoundingGrid, NamesTheGrid) {
  const Numbers right = drawn_numbers(200);
  EXPECT_EQ(grid_told(right, narrowed_to(right, DType::f16)), "float16");
  EXPECT_EQ(grid_told(right, narrowed_to(right, DType::bf16)), "bfloat16");
  EXPECT_EQ(grid_told(right, to_decimals(right, 10)), "1 decimal");
  EXPECT_EQ(grid_told(right, to_decimals(right, 1000)), "3 decimals");
  Numbers digits = right;
  for (float& number : digits) {
    const float unit = std::pow(10.0F, std::floor(std::log10(std::abs(number))) - 2);
    number = std::round(number / unit) * unit;
  }
  EXPECT_EQ(grid_told(right, digits), "3 significant digits");
  float largest = 0;
  for (const float number : right) largest = std::max(largest, std::abs(number));
  Numbers steps = right;
  for (float& number : steps) number = std::round(number / (largest / 127)) * (largest / 127);
  EXPECT_EQ(grid_of(right, steps)->kind, RoundingGrid::Kind::steps);
}

TEST(RoundingGrid, IsNoneWhereNumbersAreWrong) {
  const Numbers right = drawn_numbers(200);
  EXPECT_EQ(grid_told(right, right), "none");
  Numbers found = to_decimals(right, 100);
  found[7] += 1;  // on the grid, and not next to what it was
  EXPECT_EQ(grid_told(right, found), "none");
  EXPECT_EQ(grid_told(right, Numbers(200, 0)), "none");
  Numbers scaled = right;
  for (float& number : scaled) number *= 1.01F;
  EXPECT_EQ(grid_told(right, scaled), "none");
  EXPECT_EQ(grid_told({1.21F, 2.2F}, {1.2F, 2.2F}), "none");
}

/// Rounded first, then multiplied by a scale of each channel: no grid is left but in the frame before.
TEST(ParameterEvidence, RoundedBeforeFolding) {
  const Numbers kernel = drawn_numbers(120);
  Numbers factor, right, found = to_decimals(kernel, 100);
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    factor.push_back(0.7F + 0.13F * static_cast<float>(i / 12));
    right.push_back(kernel[i] * factor[i]);
    found[i] *= factor[i];
  }
  EXPECT_EQ(grid_told(right, found), "none");
  EXPECT_EQ(grid_told(right, found, factor), "2 decimals");
  const Shape shape{10, 12};
  const auto wrong = wrong_numbers({shape, right, found, factor, {}, 1e-5});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->kind, FaultClass::precision);
  EXPECT_EQ(wrong_numbers({shape, right, found, {}, {}, 1e-5})->kind, FaultClass::parameter);
}

/// Rows in another order, and then each times the scale of its own: the numbers are others.
TEST(ParameterEvidence, MixedBeforeFolding) {
  const Numbers kernel = drawn_numbers(120);
  Numbers factor, right, found;
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    factor.push_back(0.7F + 0.13F * static_cast<float>(i / 12));
    right.push_back(kernel[i] * factor[i]);
    found.push_back(kernel[(9 - i / 12) * 12 + i % 12] * factor[i]);
  }
  const Shape shape{10, 12};
  EXPECT_EQ(wrong_numbers({shape, right, found, factor, {}, 1e-5})->kind, FaultClass::layout);
  EXPECT_EQ(wrong_numbers({shape, right, found, {}, {}, 1e-5})->kind, FaultClass::parameter);
}

TEST(WrongNumbers, TellWhatIsWrong) {
  const Shape shape{4, 5};
  const Numbers right = drawn_numbers(20);
  EXPECT_FALSE(wrong_numbers({shape, right, right, {}, {}}));
  Numbers found = right;
  found[13] += 1;
  auto wrong = wrong_numbers({shape, right, found, {}, {}});
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->kind, FaultClass::parameter);
  EXPECT_EQ(wrong->evidence.kind, "elements");
  EXPECT_EQ(wrong->evidence.numbers["wrong"], 1);
  ASSERT_EQ(wrong->evidence.elements.size(), 1U);
  EXPECT_EQ(wrong->evidence.elements[0].target, (std::vector<std::int64_t>{2, 3}));
  found = right;
  for (float& number : found) number *= -1;
  wrong = wrong_numbers({shape, right, found, {}, {}});
  EXPECT_EQ(wrong->evidence.kind, "factor");
  EXPECT_EQ(wrong->evidence.message, "all 20 numbers have the other sign");
  EXPECT_EQ(wrong_numbers({shape, right, Numbers(20, 0), {}, {}})->evidence.message, "all 20 numbers are 0");
}

}  // namespace
}  // namespace culprit
