// Steps that values go through, and what is wrong with them.
#include "conversion/coarse/value_mistakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conversion/coarse/weight_grids.h"
#include "side_bench.h"
#include "support/small_models.h"

namespace culprit {
namespace {

using testing::Floats;
using ::testing::HasSubstr;

/// 0, 1, ... 99 hundredths.
Floats hundred() {
  Floats numbers;
  for (int i = 0; i < 100; ++i) numbers.push_back(static_cast<float>(i) / 100);
  return numbers;
}

ValueGrid from_to(double low, double high) { return {(high - low) / 255, low, high, 0, 0}; }

TEST(ValueMistake, IsNoneWhereTheGridFits) {
  EXPECT_FALSE(value_mistake(from_to(0, 1), hundred()));
  EXPECT_FALSE(value_mistake(from_to(0, 1.9), hundred())) << "less than twice as coarse";
  EXPECT_FALSE(value_mistake(from_to(0, 0.985), hundred())) << "one of a hundred is cut off";
  EXPECT_FALSE(value_mistake(from_to(-1, 1), hundred())) << "an honest one is symmetric, too";
  EXPECT_FALSE(value_mistake(from_to(0, 1), Floats(10, 0.0F))) << "numbers that say nothing";
}

TEST(ValueMistake, IsToldByItsKind) {
  const auto coarse = value_mistake(from_to(0, 3), hundred());
  ASSERT_TRUE(coarse);
  EXPECT_EQ(coarse->attribute, "scale");
  EXPECT_NEAR(coarse->honest.high, 0.99, 1e-6);
  const auto clipped = value_mistake(from_to(0, 0.3), hundred());
  ASSERT_TRUE(clipped);
  EXPECT_EQ(clipped->attribute, "range");
  EXPECT_NEAR(clipped->clipped, 0.69, 0.011);
  EXPECT_THAT(clipped->message, HasSubstr("% of them are cut off"));
  const auto elsewhere = value_mistake(from_to(-0.6, 0.4), hundred());
  ASSERT_TRUE(elsewhere);
  EXPECT_EQ(elsewhere->attribute, "zero_point");
  EXPECT_NEAR(elsewhere->honest.low, 0, 1e-6);
  EXPECT_EQ(elsewhere->honest.step, from_to(-0.6, 0.4).step);
  EXPECT_EQ(value_mistake(from_to(0, 0.7), hundred())->attribute, "range") << "at its place, and too short";
  EXPECT_EQ(value_mistake(from_to(0, 0.95), hundred())->attribute, "range");
  EXPECT_EQ(value_mistake({1 / 255.0, -128 / 255.0, 127 / 255.0, 0, 0}, hundred())->attribute, "zero_point")
      << "in the middle of the type, where no number is negative";
}

constexpr const char* stepped = R"(g (float[4] x) => (float[4] y)
  <float s = {0.5}, uint8 z = {10}> {
  q = QuantizeLinear(x, s, z)
  d = DequantizeLinear(q, s, z)
  y = Relu(d)
})";

TEST(GridOfValue, IsThatOfTheLayersAround) {
  const Network network = network_of(stepped);
  const Ways ways(network);
  const int x = network.inputs.at(0), d = network.layers.at(1).outputs.at(0), y = network.outputs.at(0);
  for (const int value : {x, d}) {
    const auto grid = grid_of_value(ways, value);
    ASSERT_TRUE(grid) << value;
    EXPECT_EQ(grid->step, 0.5);
    EXPECT_EQ(grid->low, -5);
    EXPECT_EQ(grid->high, 122.5);
    EXPECT_EQ(grid->target, value);
  }
  EXPECT_FALSE(grid_of_value(ways, y));
}

TEST(StepsOfValue, AreSetWhereverItGoesThroughThem) {
  const Network network = network_of(stepped);
  const Ways ways(network);
  const auto edits = steps_of_value(ways, network.layers.at(1).outputs.at(0), {0.25, -1, 62.75, 0, 0});
  ASSERT_EQ(edits.size(), 4U) << "scale and zero point of both layers";
  for (const Edit& edit : edits) {
    const auto& set = std::get<SetConstant>(edit);
    EXPECT_EQ(set.tensor.number(0), set.at == 1 ? 0.25 : 4) << set.layer;
  }
  EXPECT_TRUE(steps_of_value(ways, network.outputs.at(0), {0.25, -1, 62.75, 0, 0}).empty());
}

}  // namespace
}  // namespace culprit
