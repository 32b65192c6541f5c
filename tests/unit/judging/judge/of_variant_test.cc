// What a variant that computes by other operators rounds itself (docs/judging.md, "By other operators").
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "judge/judge.h"
#include "unit/judging/judge/tensors.h"

namespace culprit {
namespace {

using Values = std::vector<float>;

constexpr float eps = 0x1p-23F;
constexpr std::size_t tiny = 3;

/// Softplus of numbers from 0.1 to 4, and of one far below zero.
Values outputs(float of_tiny = 1e-8F) {
  Values values;
  for (int i = 0; i < 16; ++i) values.push_back(0.1F + 0.25F * static_cast<float>(i));
  values[tiny] = of_tiny;
  return values;
}

Values with_tiny_off(float by) {
  Values values = outputs();
  values[tiny] += by;
  return values;
}

/// Nine draws, each of which moves element i by a unit of it, and the tiny one by so much.
Drawn drawn(const Values& values, float by) {
  Drawn drawn;
  for (int draw = 0; draw < 9; ++draw) {
    Values moved = values;
    for (float& value : moved) value += draw % 2 == 0 ? value * eps : -value * eps;
    moved[tiny] = values[tiny] + (draw % 2 == 0 ? by : -by);
    add_draw(drawn, floats(values), floats(moved), 1);
  }
  return drawn;
}

/// `off` units of 1 in the tiny element; draws of the variant carry it by so many.
Measurement judged(float off, float carried_by_variant) {
  const Values values = outputs();
  const Explained of_model = explain(floats(values), drawn(values, 1e-8F * eps));
  const Explained of_variant = explain(floats(values), drawn(values, carried_by_variant * eps));
  return measure(floats(values), floats(with_tiny_off(off * eps)), {},
                 {.explained = &of_model, .of_variant = &of_variant});
}

TEST(OfVariant, WithoutDrawsOfItAnAccurateModelExplainsNothing) {
  const Values values = outputs();
  const Explained of_model = explain(floats(values), drawn(values, 1e-8F * eps));
  const Measurement m = measure(floats(values), floats(with_tiny_off(eps)), {}, {.explained = &of_model});
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_TRUE(may_be_of_variant(m, DType::f32, {}, of_model)) << "so the variant is drawn";
}

TEST(OfVariant, WhatItMakesOfNumbersAsLargeAsItsScaleIsRounding) {
  const Measurement m = judged(1, 1);
  EXPECT_EQ(verdict_of(m), Verdict::equivalent) << m.worst << " " << m.floor;
  EXPECT_GE(m.floor, eps);
}

TEST(OfVariant, NoFurtherThanRoundingOfItsScaleWhateverItsDrawsDo) {
  EXPECT_EQ(verdict_of(judged(16, 8)), Verdict::equivalent);
  const Measurement m = judged(100, 1000);
  EXPECT_EQ(verdict_of(m), Verdict::deviates) << "it lost digits, within the tolerance of its scale";
  EXPECT_EQ(m.beyond_floor, 1);
  EXPECT_EQ(verdict_of(judged(10000, 10000)), Verdict::diverged) << "beyond it, its own rounding excuses nothing";
}

TEST(OfVariant, AnElementThatItsDrawsLeaveIsExcusedByNothing) {
  EXPECT_EQ(verdict_of(judged(1, 1e-8F)), Verdict::diverged);
}

TEST(OfVariant, IsNotDrawnForWhatIsBeyondAllToleranceOrIsNoNumber) {
  const Values values = outputs();
  const Explained of_model = explain(floats(values), drawn(values, 1e-8F * eps));
  const auto may_be = [&](float by) {
    const Measurement m = measure(floats(values), floats(with_tiny_off(by)), {}, {.explained = &of_model});
    return may_be_of_variant(m, DType::f32, {}, of_model);
  };
  EXPECT_FALSE(may_be(0.01F));
  EXPECT_FALSE(may_be(std::nanf("")));
}

/// 200 tiny numbers of which a variant makes zero: all are off by their value, to one side.
TEST(OfVariant, ErrorsThatManyShareAreHeldAgainstItsDrawsToo) {
  Random random(1);
  Values values, zeros;
  for (int i = 0; i < 400; ++i)
    values.push_back(static_cast<float>(i < 200 ? 1e-8 : 1.0) * (1 + (float)random.uniform()));
  zeros = values;
  for (std::size_t i = 0; i < 200; ++i) zeros[i] = 0;
  const auto explained = [&](float carried) {
    Drawn drawn;
    for (int draw = 0; draw < 27; ++draw) {
      Values moved = values;
      for (std::size_t i = 0; i < moved.size(); ++i)
        moved[i] += (random.uniform() < 0.5 ? 1.0F : -1.0F) * (i < 200 ? carried : values[i] * eps);
      add_draw(drawn, floats(values), floats(moved), 1);
    }
    return explain(floats(values), drawn);
  };
  const Explained of_model = explained(1e-8F * eps), of_variant = explained(eps);
  const Measurement alone = measure(floats(values), floats(zeros), {}, {.explained = &of_model});
  EXPECT_EQ(verdict_of(alone), Verdict::diverged);
  const Measurement m = measure(floats(values), floats(zeros), {}, {.explained = &of_model, .of_variant = &of_variant});
  EXPECT_EQ(verdict_of(m), Verdict::equivalent) << m.note;
}

}  // namespace
}  // namespace culprit
