#include "tensor/perturb_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "support/not_numbers.h"
#include "tensor/ulp.h"
#include "unit/values/tensor/bytes.h"

namespace culprit {
namespace {

using testing::ElementsAre;

constexpr float largest = std::numeric_limits<float>::max();
constexpr float smallest = std::numeric_limits<float>::denorm_min();

TEST(Perturbation, MovesEachElementByOneStepUpOrDownFairly) {
  std::vector<float> values(4000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = (i % 2 == 0 ? 1.5F : -3.25F) + static_cast<float>(i);
  Random random(7);
  const Tensor moved = perturbed(floats(values), random);
  std::size_t up = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_EQ(ulp_distance(values[i], moved.as<float>()[i]), 1) << i;
    if (moved.as<float>()[i] > values[i]) ++up;
  }
  EXPECT_GT(up, 1850U);  // a fair coin gives 2000, give or take 32
  EXPECT_LT(up, 2150U);
}

TEST(Perturbation, MovesByAsManyStepsAsAsked) {
  Random random(7);
  const Tensor moved = perturbed(floats({1.5F, -2.5F, 100}), random, 4);
  EXPECT_EQ(ulp_distance(1.5F, moved.as<float>()[0]), 4);
  EXPECT_EQ(ulp_distance(-2.5F, moved.as<float>()[1]), 4);
  EXPECT_EQ(ulp_distance(100.0F, moved.as<float>()[2]), 4);
}

TEST(Perturbation, LeavesZerosNanAndInfinitiesAsTheyAre) {
  const Tensor before = floats({0.0F, -0.0F, infinity_f, -infinity_f, std::bit_cast<float>(0x7fc00001U)});
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    EXPECT_TRUE(perturbed(before, random, 4).identical(before));
  }
}

TEST(Perturbation, NeverReachesZeroOrInfinity) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Random random(seed);
    const Tensor all = perturbed(floats({smallest, -smallest, 2 * smallest, largest, -largest}), random, 4);
    for (const float value : all.as<float>()) {
      EXPECT_NE(value, 0);
      EXPECT_TRUE(std::isfinite(value));
    }
    Random again(seed);
    const Tensor moved = perturbed(floats({smallest, -smallest, largest}), again, 4);
    EXPECT_GT(moved.as<float>()[0], 0);
    EXPECT_LT(moved.as<float>()[1], 0);
    EXPECT_GT(moved.as<float>()[2], 1e38F);
  }
}

TEST(Perturbation, KnowsTheOtherWidths) {
  Random random(1);
  const Tensor f64 = perturbed(Tensor::of<double>({2}, {1.0, -7.0}), random);
  EXPECT_EQ(ulp_distance(1.0, f64.as<double>()[0]), 1);
  EXPECT_EQ(ulp_distance(-7.0, f64.as<double>()[1]), 1);
  for (const DType type : {DType::f16, DType::bf16}) {
    const Tensor before = cast(floats({1.0F, -7.0F, 0.0F, infinity_f}), type).value();
    const Tensor moved = perturbed(before, random);
    const auto was = before.as<std::uint16_t>();
    const auto is = moved.as<std::uint16_t>();
    EXPECT_EQ(std::abs(was[0] - is[0]), 1);
    EXPECT_EQ(std::abs(was[1] - is[1]), 1);
    EXPECT_EQ(was[2], is[2]);
    EXPECT_EQ(was[3], is[3]);
  }
}

TEST(Perturbation, LeavesOtherTypesAlone) {
  Random random(1);
  const Tensor integers = Tensor::of<std::int64_t>({2}, {5, -5});
  EXPECT_TRUE(perturbed(integers, random).identical(integers));
  const Tensor strings = Tensor::from_strings({1}, {"a"}).value();
  EXPECT_TRUE(perturbed(strings, random).identical(strings));
  const Tensor small = cast(floats({1, 2}), DType::f8e4m3fn).value();
  EXPECT_TRUE(perturbed(small, random).identical(small));
}

TEST(Perturbation, GivesTheSameBitsOnEveryMachine) {
  Random random(42, "w");
  const Tensor moved = perturbed(floats({1, 1, 1, 1, 1, 1, 1, 1}), random);
  std::vector<std::uint32_t> bits;
  for (const float value : moved.as<float>()) bits.push_back(std::bit_cast<std::uint32_t>(value));
  EXPECT_THAT(bits, ElementsAre(0x3f7fffff, 0x3f800001, 0x3f7fffff, 0x3f7fffff, 0x3f7fffff, 0x3f800001, 0x3f7fffff,
                                0x3f800001));
}

}  // namespace
}  // namespace culprit
