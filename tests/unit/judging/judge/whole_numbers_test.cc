#include "judge/whole_numbers.h"

#include <gtest/gtest.h>

#include <functional>

#include "judge/judge.h"
#include "tensor/tensor.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

Tensor typed(const Numbers& values, DType type = DType::f32, Shape shape = {}) {
  if (shape.empty()) shape = {static_cast<std::int64_t>(values.size())};
  return cast(Tensor::of<double>(shape, values), type).value();
}

/// Whole numbers from `first` on, `step` apart.
Numbers counted_from(double first, double step = 1, std::size_t count = 40) {
  Numbers values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(first + step * static_cast<double>(i));
  return values;
}

Numbers with_one_off(Numbers values, double by, std::size_t at = 11) {
  values[at] += by;
  return values;
}

Measurement against(const Tensor& reference, const Tensor& variant, const Drawn& drawn) {
  const Explained explained = explain(reference, drawn);
  return measure(reference, variant, {}, {.explained = &explained, .forgives = true});
}

/// So many draws that move nothing.
Drawn that_stood_still(const Tensor& reference, int draws = 27, Nature nature = Nature::stepped) {
  Drawn drawn{.nature = nature};
  for (int i = 0; i < draws; ++i) add_draw(drawn, reference, reference, 1);
  return drawn;
}

TEST(WholeNumbers, ThatNoDrawMovesAreComparedExactly) {
  for (const Nature nature : {Nature::stepped, Nature::smooth}) {
    const Numbers ids = counted_from(5000, 711);
    const Tensor r = typed(ids);
    const Measurement m = against(r, typed(with_one_off(ids, 1)), that_stood_still(r, 27, nature));
    EXPECT_EQ(verdict_of(m), Verdict::diverged) << "within 0.1 % of its value";
    EXPECT_EQ(m.beyond_tolerance, 1);
    EXPECT_EQ(m.beyond_floor, 1);
    EXPECT_EQ(m.unit, 1);
    EXPECT_EQ(m.worst, 1);
    EXPECT_TRUE(m.shown.is_exact);
  }
}

TEST(WholeNumbers, AreExactHoweverManyAreOthers) {
  const Numbers ids = counted_from(1.0e6);
  const Tensor r = typed(ids);
  const Measurement m = against(r, typed(counted_from(1.0e6 + 1)), that_stood_still(r));
  EXPECT_EQ(verdict_of(m), Verdict::diverged) << "a millionth of the value";
  EXPECT_EQ(m.beyond_tolerance, 40);
}

TEST(WholeNumbers, AreSecondsSince1970) {
  const Numbers seconds = counted_from(1.7e9, 3607);
  const Tensor r = typed(seconds, DType::f64);
  const Measurement m = against(r, typed(with_one_off(seconds, 60), DType::f64), that_stood_still(r));
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_EQ(m.unit, 1);
}

TEST(WholeNumbers, MayBeHalvesAndOfHalfPrecision) {
  const Numbers halves = counted_from(1000.5, 1);
  const Tensor r = typed(halves);
  EXPECT_EQ(verdict_of(against(r, typed(with_one_off(halves, 0.5)), that_stood_still(r))), Verdict::diverged);
  const Numbers labels = counted_from(180, 1);
  const Tensor half = typed(labels, DType::f16);
  EXPECT_EQ(verdict_of(against(half, typed(with_one_off(labels, 1), DType::f16), that_stood_still(half))),
            Verdict::diverged);
}

TEST(WholeNumbers, BesideScoresAreExact) {
  Numbers values, drawn_values, variant;
  for (std::size_t row = 0; row < 50; ++row) {
    const double score = 0.3 + 0.01 * static_cast<double>(row) / 3;
    for (const double pixel : {1400.0, 1500.0, 1600.0, 1700.0}) values.push_back(pixel + static_cast<double>(3 * row));
    values.push_back(score);
  }
  drawn_values = variant = values;
  for (std::size_t i = 4; i < values.size(); i += 5) drawn_values[i] *= 1.000001, variant[i] *= 1.0000005;
  const Tensor r = typed(values, DType::f32, {50, 5});
  Drawn drawn;
  for (int i = 0; i < 27; ++i) add_draw(drawn, r, typed(drawn_values, DType::f32, {50, 5}), 1);
  EXPECT_EQ(verdict_of(against(r, typed(variant, DType::f32, {50, 5}), drawn)), Verdict::equivalent);
  variant[10] += 1;
  const Measurement m = against(r, typed(variant, DType::f32, {50, 5}), drawn);
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_EQ(m.beyond_tolerance, 1);
}

TEST(WholeNumbers, AreKnownWhereNothingIsRounded) {
  const Numbers ids = counted_from(5000, 711);
  EXPECT_EQ(verdict_of(against(typed(ids), typed(with_one_off(ids, 1)), {.nature = Nature::smooth})),
            Verdict::deviates);
  EXPECT_EQ(
      verdict_of(against(typed(ids), typed(with_one_off(ids, 1)), {.nature = Nature::smooth, .never_moves = true})),
      Verdict::diverged);
}

TEST(WholeNumbers, ThatComeOutBesideAWholeNumberAreRounding) {
  const Numbers ids = counted_from(3, 1);
  const Tensor r = typed(ids);
  Numbers near = ids;
  for (double& value : near) value *= 1 + 1.2e-7;
  EXPECT_EQ(verdict_of(against(r, typed(near), that_stood_still(r))), Verdict::equivalent);
}

TEST(WholeNumbers, ThatADrawMovesAreNotExact) {
  const Numbers ids = counted_from(5000, 711);
  const Tensor r = typed(ids);
  Drawn drawn = that_stood_still(r, 26);
  add_draw(drawn, r, typed(with_one_off(ids, 1)), 1);
  EXPECT_EQ(verdict_of(against(r, typed(with_one_off(ids, 1)), drawn)), Verdict::equivalent);
  EXPECT_EQ(verdict_of(against(r, typed(with_one_off(ids, 1, 20)), drawn)), Verdict::equivalent)
      << "one that moved says that another one may";
  EXPECT_EQ(verdict_of(against(r, typed(with_one_off(ids, 5, 20)), drawn)), Verdict::diverged) << "not as far";
}

TEST(WholeNumbers, NeedAllDraws) {
  const Numbers ids = counted_from(5000, 711);
  const Tensor r = typed(ids);
  const Measurement m = against(r, typed(with_one_off(ids, 1)), that_stood_still(r, 9));
  EXPECT_NE(verdict_of(m), Verdict::diverged);
  EXPECT_EQ(m.undecided, 27);
}

TEST(WholeNumbers, AreMoreThanAConstant) {
  const Numbers same(40, 2000.0);
  const Tensor r = typed(same);
  EXPECT_NE(verdict_of(against(r, typed(with_one_off(same, 1)), that_stood_still(r))), Verdict::diverged);
  Numbers two = same;
  for (std::size_t i = 0; i < 20; ++i) two[i] = 0;
  const Tensor mask = typed(two);
  EXPECT_NE(verdict_of(against(mask, typed(with_one_off(two, 1, 30)), that_stood_still(mask))), Verdict::diverged)
      << "zeros are no numbers of their own";
}

TEST(WholeNumbers, AreNoneWhereManyStepsMove) {
  const Numbers steps = counted_from(5000, 711, 200);
  Numbers other = steps;
  for (std::size_t i = 0; i < other.size(); i += 5) other[i] += 1;
  const Tensor r = typed(steps);
  Drawn drawn{.nature = Nature::stepped};
  for (int i = 0; i < 27; ++i) add_draw(drawn, r, typed(other), 1);
  EXPECT_TRUE(explain(r, drawn).units == Numbers{0});
}

TEST(WholeNumbers, LeaveBitsOfTheTypeOver) {
  const Numbers large = counted_from(9'000'001, 3);  // every float32 there is whole
  EXPECT_TRUE(explain(typed(large), that_stood_still(typed(large))).units == Numbers{0});
  const Numbers thirds = counted_from(1.0 / 3, 1);
  EXPECT_TRUE(explain(typed(thirds), that_stood_still(typed(thirds))).units == Numbers{0});
  const Numbers few = counted_from(70'001, 1, 5);  // 17 bits of 24, and 5 elements
  EXPECT_TRUE(explain(typed(few), that_stood_still(typed(few))).units == Numbers{0});
  const Numbers few_small = counted_from(2'001, 1, 5);
  EXPECT_TRUE(explain(typed(few_small), that_stood_still(typed(few_small))).units == Numbers{1});
}

}  // namespace
}  // namespace culprit
