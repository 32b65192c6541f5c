#include "baseline/directed/scaled_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A value inside that is 60 + x / 1000, by element.
Shown shown(const std::vector<float>& x) {
  std::vector<float> inside;
  for (const float one : x) inside.push_back(60 + one / 1000);
  const Shape shape = {1, 2, 2, 2};
  return {{{"x", Tensor::of<float>(shape, x)}, {"steers", Tensor::of<float>({1}, {3})}},
          {{"inside", Tensor::of<float>(shape, inside)}}};
}

const Shown plain = shown({1, -1, 1, -1, 1, 1, -1, -1}), other = shown({2, 1, -1, 0, 2, 0, 1, 1});
const std::set<std::string> fixed = {"steers"};

double largest(const Candidate& candidate) { return std::abs(candidate.inputs.at(0).value.number(0)); }

TEST(Scaled, ExpOverflowsBehindSmallWeightsAndBesideAnOffset) {
  const std::vector<Want> wants = {{"p", "inside", Wish::extreme, {}}};
  const auto made = scaled_candidates(wants, plain, std::span(&other, 1), plain.inputs, fixed);
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_NEAR(largest(made[0]), 240'000, 2'000) << "four times the offset";
  EXPECT_EQ(made[0].inputs.at(1).value.number(0), 3) << "what steers stays";
  EXPECT_TRUE(made[0].asks_for_extremes);
  EXPECT_THAT(made[0].reasons, ElementsAre(HasSubstr("values x 2.4e+05 (p)")));
}

TEST(Scaled, BordersGetPlanesOfEitherSign) {
  const std::vector<Want> wants = {{"p", "inside", Wish::negative_border, {}}};
  const auto made = scaled_candidates(wants, plain, std::span(&other, 1), plain.inputs, fixed);
  ASSERT_THAT(made, SizeIs(2));
  for (std::int64_t i = 0; i < 8; ++i) {
    const double up = made[0].inputs.at(0).value.number(i), down = made[1].inputs.at(0).value.number(i);
    EXPECT_EQ(up, -down);
    EXPECT_EQ(up, made[0].inputs.at(0).value.number(i / 4 * 4)) << "one value in each plane";
    EXPECT_LT(60 - std::abs(up) / 1000, 0) << "one of the two is below zero";
  }
}

TEST(Scaled, FactorsThatAreNearEachOtherAreOne) {
  const std::vector<Want> wants = {{"p", "inside", Wish::extreme, {}}, {"q", "inside", Wish::extreme, {}}};
  EXPECT_THAT(scaled_candidates(wants, plain, std::span(&other, 1), plain.inputs, fixed), SizeIs(1));
}

TEST(Scaled, NoneWhereTheValueDoesNotMove) {
  const std::vector<Want> wants = {{"p", "inside", Wish::extreme, {}}, {"p", "elsewhere", Wish::extreme, {}}};
  Shown still = other;
  still.values = plain.values;
  EXPECT_THAT(scaled_candidates(wants, plain, std::span(&still, 1), plain.inputs, fixed), IsEmpty());
  EXPECT_THAT(scaled_candidates(wants, plain, {}, plain.inputs, fixed), IsEmpty());
  EXPECT_THAT(scaled_candidates(wants, Shown{}, std::span(&other, 1), plain.inputs, fixed), IsEmpty());
}

TEST(Scaled, HalvesStayFinite) {
  Shown half = plain, more = other;
  for (Shown* one : {&half, &more}) one->inputs.at(0).value = *cast(one->inputs.at(0).value, DType::f16);
  const std::vector<Want> wants = {{"p", "inside", Wish::extreme, {}}};
  const auto made = scaled_candidates(wants, half, std::span(&more, 1), half.inputs, fixed);
  ASSERT_THAT(made, SizeIs(1));
  EXPECT_EQ(largest(made[0]), 32000);
}

}  // namespace
}  // namespace culprit
