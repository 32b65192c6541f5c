#include "conversion/coarse/quantization_yardstick.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace culprit {
namespace {

using Numbers = std::vector<float>;

/// [channels, 64]: each channel of another size.
Numbers drawn(std::size_t channels, float growth = 1.3F) {
  std::mt19937 random(7);
  std::normal_distribution<float> normal;
  Numbers numbers;
  float size = 0.1F;
  for (std::size_t channel = 0; channel < channels; ++channel, size *= growth)
    for (int i = 0; i < 64; ++i) numbers.push_back(size * normal(random));
  return numbers;
}

Shape shape_of(const Numbers& numbers) { return {std::ssize(numbers) / 64, 64}; }

float largest_of(Numbers::const_iterator begin, Numbers::const_iterator end) {
  float largest = 0;
  for (auto number = begin; number != end; ++number) largest = std::max(largest, std::abs(*number));
  return largest;
}

NumberGrid whole_grid(const Numbers& numbers, DType type, double highest) {
  const double scale = static_cast<double>(largest_of(numbers.begin(), numbers.end())) / highest;
  return {type, {{scale}, {0}, 0}};
}

NumberGrid grid_by_channel(const Numbers& numbers) {
  NumberGrid grid{DType::i8, {{}, {}, 0}};
  for (auto row = numbers.begin(); row != numbers.end(); row += 64) {
    grid.by.scale.push_back(static_cast<double>(largest_of(row, row + 64)) / 127);
    grid.by.zero_point.push_back(0);
  }
  return grid;
}

/// How numbers are judged that were rounded on `made`, but are read on `read`.
GridVerdict judged(const Numbers& right, const NumberGrid& made, const NumberGrid& read) {
  const Shape shape = shape_of(right);
  const auto steps = steps_of(shape, on_grid(shape, right, made).value(), made).value();
  Numbers found;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const std::size_t slice =
        read.by.scale.size() == 1 ? 0 : (read.by.axis == 0 ? i / 64 : i % 64) % read.by.scale.size();
    found.push_back(
        static_cast<float>(read.by.scale[slice] * (steps[i] - static_cast<double>(read.by.zero_point[slice]))));
  }
  return judge_numbers(shape, right, found, read).value();
}
GridVerdict judged(const Numbers& right, const NumberGrid& grid) { return judged(right, grid, grid); }

TEST(QuantizationYardstick, HonestGridsAreNotBlamed) {
  const Numbers numbers = drawn(8);
  EXPECT_FALSE(judged(numbers, grid_by_channel(numbers)).is_blamed);
  EXPECT_FALSE(judged(numbers, whole_grid(numbers, DType::i8, 127)).is_blamed);
  EXPECT_FALSE(judged(numbers, whole_grid(numbers, DType::i4, 7)).is_blamed);
  const auto [low, high] = std::ranges::minmax(numbers);
  const double scale = (static_cast<double>(high) - static_cast<double>(low)) / 255;
  const NumberGrid bytes{DType::u8, {{scale}, {std::llround(-static_cast<double>(low) / scale)}, 0}};
  EXPECT_FALSE(bytes.is_symmetric());
  EXPECT_FALSE(judged(numbers, bytes).is_blamed);
  EXPECT_NEAR(judged(numbers, bytes).honest.rms, scale / std::sqrt(12.0), scale / 10);
}

TEST(QuantizationYardstick, SevenBitsOfEightAreHonest) {
  const Numbers numbers = drawn(8);
  EXPECT_FALSE(judged(numbers, whole_grid(numbers, DType::i8, 63)).is_blamed);
  EXPECT_TRUE(judged(numbers, whole_grid(numbers, DType::i8, 20)).is_blamed) << "a step as wide as that is no choice";
}

TEST(QuantizationYardstick, WrongScalesAreBlamed) {
  const Numbers numbers = drawn(8);
  const NumberGrid right = grid_by_channel(numbers);
  for (const double factor : {2.0, 0.5, 1.05}) {
    NumberGrid wrong = right;
    for (double& scale : wrong.by.scale) scale *= factor;
    const GridVerdict verdict = judged(numbers, right, wrong);
    EXPECT_TRUE(verdict.is_blamed) << factor;
    EXPECT_NEAR(verdict.honest_grid.scale[3] / right.by.scale[3], 1, 0.65) << "and the right one is told";
  }
  NumberGrid one_wrong = right;
  one_wrong.by.scale[2] *= 2;
  EXPECT_TRUE(judged(numbers, right, one_wrong).is_blamed);
}

TEST(QuantizationYardstick, AWrongZeroPointIsBlamed) {
  const Numbers numbers = drawn(8);
  const NumberGrid right = whole_grid(numbers, DType::i8, 127);
  NumberGrid wrong = right;
  wrong.by.zero_point = {16};
  EXPECT_TRUE(judged(numbers, right, wrong).is_blamed);
}

TEST(QuantizationYardstick, AWrongAxisIsBlamed) {
  const Numbers numbers = drawn(64, 1.05F);
  const NumberGrid right = grid_by_channel(numbers);
  NumberGrid wrong = right;
  wrong.by.axis = 1;
  EXPECT_TRUE(judged(numbers, right, wrong).is_blamed);
}

TEST(QuantizationYardstick, ARangeThatIsTooSmallIsBlamed) {
  const Numbers numbers = drawn(8);
  NumberGrid grid = whole_grid(numbers, DType::i8, 127);
  grid.by.scale[0] /= 8;
  const GridVerdict verdict = judged(numbers, grid);
  EXPECT_TRUE(verdict.is_blamed);
  EXPECT_GT(verdict.found.clipped, 0.01);
  EXPECT_LT(verdict.honest.clipped, 0.01);
}

TEST(QuantizationYardstick, TinyAndConstantNumbersAreMeasuredLikewise) {
  Numbers tiny = drawn(8);
  for (float& number : tiny) number *= 1e-9F;
  EXPECT_FALSE(judged(tiny, grid_by_channel(tiny)).is_blamed);
  NumberGrid lost = whole_grid(tiny, DType::i8, 127);
  lost.by.scale[0] = 1e-3;
  EXPECT_TRUE(judged(tiny, lost).is_blamed);
  const Numbers nothing(128, 0);
  EXPECT_FALSE(judged(nothing, {DType::i8, {{0}, {0}, 0}}).is_blamed);
  EXPECT_FALSE(judged(nothing, {DType::i8, {{1}, {0}, 0}}).is_blamed);
  const Numbers same(128, 0.3F);
  EXPECT_FALSE(judged(same, whole_grid(same, DType::i8, 127)).is_blamed);
  EXPECT_TRUE(judged(same, {DType::i8, {{0}, {0}, 0}}).is_blamed);
}

/// Least squares clip a single number that is far out, and the whole range does not: both are honest.
TEST(QuantizationYardstick, OneOutlierMayBeClipped) {
  Numbers numbers = drawn(64, 1);
  numbers[100] = 3;
  const NumberGrid by_range = whole_grid(numbers, DType::i4, 7);
  NumberGrid clipping = by_range;
  clipping.by.scale[0] *= 0.4;
  EXPECT_FALSE(judged(numbers, by_range).is_blamed);
  EXPECT_FALSE(judged(numbers, clipping).is_blamed);
  EXPECT_LT(judged(numbers, clipping).found.rms, judged(numbers, by_range).found.rms);
}

TEST(QuantizationYardstick, ScalesThatDoNotFitAreNotJudged) {
  const Numbers numbers(128, 1);
  EXPECT_FALSE(judge_numbers({2, 64}, numbers, numbers, {DType::i8, {{1, 1, 1}, {}, 0}}).has_value());
  EXPECT_FALSE(judge_numbers({2, 64}, numbers, numbers, {DType::i8, {{1, 1}, {}, 5}}).has_value());
  EXPECT_FALSE(on_grid({3, 64}, numbers, {DType::i8, {{1}, {}, 0}}).has_value());
}

}  // namespace
}  // namespace culprit
