#include "tensor/imitate_rounding.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tensor/perturb_elements.h"
#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using Values = std::vector<float>;

bool on_a_grid(const Values& values) { return is_on_a_grid(DType::f32, floats(values).bytes()); }

Values moved(const Tensor& tensor, const RoundingMoves& moves, std::uint64_t seed = 1) {
  Random random(seed);
  const Tensor result = perturbed(tensor, random, moves);
  return {result.as<float>().begin(), result.as<float>().end()};
}

TEST(Grid, HoldsWholeNumbersAndHalvesButNotWhatWasRounded) {
  EXPECT_TRUE(on_a_grid({1, 0, 3, 255, 17, 2, 9, 100, 7}));
  EXPECT_TRUE(on_a_grid({0.5F, -1.25F, 3, 1e5F, 17, 2, 9, 100, 7}));
  EXPECT_TRUE(on_a_grid({0, 0, 1}));
  EXPECT_TRUE(on_a_grid({})) << "nothing that could move";
  EXPECT_FALSE(on_a_grid({1, 0, 3, 255, 17, 2, 9, 100, 0.1F})) << "one is enough";
  EXPECT_FALSE(on_a_grid({1, 0, 3, 255, 17, 2, 9, 100, 16777215})) << "no bits are left for a sum";
  EXPECT_FALSE(on_a_grid({65537, 1})) << "two say less than many";
}

TEST(Grid, OfHalvesIsToldByMany) {
  const std::vector<std::uint16_t> ones(16, 0x3c00), few(4, 0x3c00);
  EXPECT_TRUE(is_on_a_grid(DType::f16, std::as_bytes(std::span(ones))));
  EXPECT_FALSE(is_on_a_grid(DType::f16, std::as_bytes(std::span(few))));
}

TEST(ImitateRounding, LeavesWhatMayBeExactAndIs) {
  const Values counts = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(moved(floats(counts), {.may_be_exact = true}), counts);
  EXPECT_NE(moved(floats(counts), {}), counts);
}

TEST(ImitateRounding, MovesTheTermsOfASumAsPartialSumsErr) {
  const Tensor ones = floats(Values(4096, 1.5F), {4096});
  double plain = 0, summed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const Values alone = moved(ones, {}, seed), along = moved(ones, {.summed_axes = {0}}, seed);
    const auto off = [](const Values& values) {
      return std::abs(std::accumulate(values.begin(), values.end(), 0.0) - 4096 * 1.5) / 0x1p-23;
    };
    plain += off(alone) / 8, summed += off(along) / 8;
  }
  EXPECT_LT(plain, 200) << "about the square root of 4096";
  EXPECT_GT(summed, 5000) << "about its third power, by some ten";
  EXPECT_LT(summed, 60000);
}

TEST(ImitateRounding, WalksAlongTheSummedAxesOnlyAndNoFurtherThanAsked) {
  const Tensor ones = floats(Values(std::size_t{64} * 64, 1.5F), {64, 64});
  const auto apart = [&](const Values& values, std::size_t i, std::size_t j) {
    return std::abs(static_cast<double>(values[i]) - static_cast<double>(values[j])) / 0x1p-23;
  };
  const Values along = moved(ones, {.summed_axes = {-2}});
  double down = 0, across = 0;
  for (std::size_t i = 0; i + 64 < 4096; ++i) {
    down = std::max(down, apart(along, i, i + 64));
    if (i % 64 < 63) across = std::max(across, apart(along, i, i + 1));
  }
  EXPECT_LE(down, 3) << "neighbours along the sum: two coins and a step";
  EXPECT_GT(across, 3);
  for (const float value : moved(ones, {.summed_axes = {-2}, .terms = 9})) {
    EXPECT_LE(std::abs(static_cast<double>(value) - 1.5) / 0x1p-23, 1) << "one, and an eighth of three";
  }
}

TEST(ImitateRounding, OfASigmoidIsAsLargeHoweverSmallItIs) {
  for (const float value : moved(floats({1e-6F, 1e-6F, 1e-6F, 1e-6F}), {.least = 0.5}))
    EXPECT_NEAR(std::abs(static_cast<double>(value) - 1e-6), 0x1p-24, 1e-12);
  for (const float value : moved(floats({1e-9F, 1e-9F, 1e-9F, 1e-9F}), {.least = 0.5})) {
    EXPECT_GE(value, 0.4e-9F) << "never to zero";
  }
}

TEST(ImitateRounding, OfATransformGoesByAllFrequencies) {
  Values values(8, 0);
  values[0] = 100;  // [4, 2]: the third frequency is all rounding
  values[4] = 1e-7F;
  const Values after = moved(floats(values, {1, 4, 2}), {.is_transform = true});
  EXPECT_NEAR(std::abs(static_cast<double>(after[4]) - 1e-7), 4 * 0x1p-23 * 100 / std::sqrt(8), 1e-6);
}

}  // namespace
}  // namespace culprit
