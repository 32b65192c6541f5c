#include "data/other_samples.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "interfaces.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

TEST(Redraws, FloatsAreLargerAndSmaller) {
  std::vector<double> scales;
  for (const Redraw& redraw : redraws_of(interface_with({value("x", DType::f32, {fixed(2)})}), {})) {
    scales.push_back(redraw.plan.float_scale);
  }
  EXPECT_EQ(scales, (std::vector<double>{4, 16, 1.0 / 16, 1}));
}

TEST(Redraws, IntegersHaveWiderRangesAndThenTheirOwn) {
  const auto redraws =
      redraws_of(interface_with({value("i", DType::i64, {fixed(2)})}), {.integer_low = 0, .integer_high = 1});
  std::vector<std::int64_t> highs;
  for (const Redraw& redraw : redraws) {
    highs.push_back(redraw.plan.integer_high);
    EXPECT_EQ(redraw.plan.float_scale, 1) << "there are no floats";
  }
  EXPECT_EQ(highs, (std::vector<std::int64_t>{15, 255, 3, 1000, 1, 1, 1}));
}

TEST(Redraws, EachHasASeedOfItsOwnAndTheSameSizes) {
  std::set<std::uint64_t> seeds;
  for (const Redraw& redraw :
       redraws_of(interface_with({value("b", DType::boolean, {open("N")})}), {.dims = {{"N", 5}}})) {
    EXPECT_TRUE(seeds.insert(redraw.seeds_on).second);
    EXPECT_EQ(redraw.plan.dims.at("N"), 5);
  }
  EXPECT_FALSE(seeds.empty());
  EXPECT_FALSE(seeds.contains(0));
}

TEST(Redraws, NothingThatIsGivenIsDrawnAgain) {
  EXPECT_THAT(redraws_of(interface_with({}), {}), IsEmpty());
  EXPECT_THAT(redraws_of(interface_with({value("sr", DType::i64, {})}), {.values = {{"sr", 16000}}}), IsEmpty());
}

TEST(Redraws, AProposalDrawsItselfAgain) {
  const Model model = model_with({value("x", DType::f32, {open("N"), fixed(500)})});
  const Proposal first = propose(model, {.samples = 2, .seed = 7}).value().front();
  ASSERT_EQ(first.redraws, 4U);
  const Proposal again = first.redraw(0).value();
  EXPECT_EQ(again.size(), 2U);
  EXPECT_EQ(again.facts.seed, 8U);
  EXPECT_TRUE(first.plain && !again.plain) << "its numbers are plain already";
  EXPECT_EQ(again.facts.dims, first.facts.dims);
  EXPECT_EQ(again.description, "random inputs, N=1, floats x 4 and N=2, seed 8");
  double squares = 0;
  const Sample sample = again.sample(0).value();
  for (const float v : input(sample, "x").as<float>()) squares += v * v;
  EXPECT_NEAR(std::sqrt(squares / 500), 4, 0.5);
  EXPECT_TRUE(input(*again.sample(1), "x").identical(input(*first.redraw(0).value().sample(1), "x")));
}

TEST(Redraws, AGivenInputStaysAsItIs) {
  const Model model = model_with({value("x", DType::f32, {fixed(2)}), value("z", DType::f32, {fixed(2)})});
  const Proposal first = propose(model, {.inputs = {"x=[1,2]"}}).value().front();
  const Proposal again = first.redraw(1).value();
  EXPECT_EQ(input(*again.sample(0), "x").number(1), 2);
  EXPECT_FALSE(input(*again.sample(0), "z").identical(input(*first.sample(0), "z")));
  EXPECT_EQ(propose(model, {.inputs = {"x=[1,2]", "z=[1,2]"}}).value().front().redraws, 0U);
}

}  // namespace
}  // namespace culprit
