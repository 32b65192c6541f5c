#include "judge/judge.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/not_numbers.h"
#include "tensor/half.h"
#include "unit/judging/judge/tensors.h"

namespace culprit {
namespace {

template <class T>
Tensor raw(DType type, Shape shape, const std::vector<T>& bits) {
  const auto* first = reinterpret_cast<const std::byte*>(bits.data());
  return Tensor::from_bytes(type, std::move(shape), {first, first + bits.size() * sizeof(T)}).value();
}

Tensor halves(const std::vector<float>& values) {
  std::vector<std::uint16_t> bits;
  for (const float value : values) bits.push_back(float_to_half(value));
  return raw(DType::f16, {static_cast<std::int64_t>(values.size())}, bits);
}

Measurement compare(const Tensor& r, const Tensor& v) { return measure(r, v, {}); }

TEST(Measure, IdenticalTensorsAreEquivalentAndStateTheTolerance) {
  const Measurement m = compare(floats({3, 4, nan_f, infinity_f}), floats({3, 4, nan_f, infinity_f}));
  EXPECT_EQ(verdict_of(m), Verdict::equivalent);
  EXPECT_EQ(m.elements, 4);
  EXPECT_EQ(m.max_abs, 0);
  EXPECT_EQ(m.cosine, 1);
  EXPECT_DOUBLE_EQ(m.atol, 1e-4 * std::sqrt(12.5));  // RMS of the finite elements 3 and 4
  EXPECT_DOUBLE_EQ(m.rtol, 1e-3);
}

TEST(Measure, DistancesAreTheLargestOfAllElements) {
  const Measurement m = compare(floats({1, 2, -4}), floats({1.5F, 2, -3}));
  EXPECT_DOUBLE_EQ(m.max_abs, 1);
  EXPECT_DOUBLE_EQ(m.max_rel, 0.5);
  EXPECT_EQ(m.max_ulp, 1 << 22);  // 1 to 1.5 is half a binade of 2^23 steps; -4 to -3 spans 2^22 steps too
  EXPECT_EQ(m.mismatched, 2);
  EXPECT_EQ(m.beyond_tolerance, 2);
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
}

TEST(Measure, RelativeDistanceFromZeroIsInfinite) {
  EXPECT_EQ(compare(floats({0, 100}), floats({1e-6F, 100})).max_rel, std::numeric_limits<double>::infinity());
}

TEST(Measure, SmallDifferencesDeviateWithinTheDefaultTolerance) {
  const Measurement m = compare(floats({1, 1}), floats({1.0001F, 1}));
  EXPECT_EQ(m.mismatched, 1);
  EXPECT_EQ(m.beyond_tolerance, 0);
  EXPECT_EQ(verdict_of(m), Verdict::deviates);
}

TEST(Measure, TheDefaultToleranceScalesWithTheOutput) {
  const auto at_scale = [](float scale) {
    return verdict_of(compare(floats({0, scale}), floats({scale * 5e-5F, scale})));
  };
  EXPECT_EQ(at_scale(1e-3F), Verdict::deviates);
  EXPECT_EQ(at_scale(1e6F), Verdict::deviates);
  EXPECT_EQ(verdict_of(compare(floats({0, 1e-3F}), floats({5e-5F, 1e-3F}))), Verdict::diverged);
}

TEST(Measure, OneElementBeyondToleranceIsEnough) {
  std::vector<float> r(1000, 1);
  std::vector<float> v = r;
  v[517] = 1.1F;
  const Measurement m = compare(floats(r), floats(v));
  EXPECT_EQ(m.beyond_tolerance, 1);
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
}

TEST(Measure, GivenTolerancesReplaceTheDefaults) {
  EXPECT_EQ(verdict_of(measure(floats({1}), floats({1.5F}), {.atol = 0.5, .rtol = 0.0})), Verdict::deviates);
  EXPECT_EQ(verdict_of(measure(floats({1}), floats({1.0001F}), {.atol = 0.0, .rtol = 0.0})), Verdict::diverged);
  const Measurement only_atol = measure(floats({1}), floats({2}), {.atol = 0.25, .rtol = {}});
  EXPECT_EQ(only_atol.atol, 0.25);
  EXPECT_EQ(only_atol.rtol, 1e-3);
}

TEST(Measure, NanEqualsNanWhateverItsBits) {
  const auto other_nan = raw<std::uint32_t>(DType::f32, {2}, {0x7fc12345U, 0x3f800000U});
  const Measurement m = compare(floats({nan_f, 1}), other_nan);
  EXPECT_EQ(verdict_of(m), Verdict::equivalent);
  EXPECT_EQ(m.nonfinite_mismatch, 0);
}

TEST(Measure, NanAndInfinityMustStandInTheSamePlaces) {
  for (const auto& [r, v] : {std::pair{nan_f, 1.F},
                             {1.F, nan_f},
                             {infinity_f, 1.F},
                             {1.F, -infinity_f},
                             {infinity_f, -infinity_f},
                             {nan_f, infinity_f}}) {
    const Measurement m = compare(floats({r, 1}), floats({v, 1}));
    EXPECT_EQ(m.nonfinite_mismatch, 1) << r << " and " << v;
    EXPECT_EQ(m.beyond_tolerance, 1);
    EXPECT_EQ(m.max_abs, std::numeric_limits<double>::infinity());
    EXPECT_EQ(verdict_of(m), Verdict::diverged);
    EXPECT_EQ(m.cosine, 1) << "the finite elements agree";
  }
  EXPECT_EQ(verdict_of(measure(floats({nan_f, 1}), floats({1, 1}), {.atol = 1e9, .rtol = 1e9})), Verdict::diverged);
}

TEST(Measure, EqualInfinitiesAgreeBesideOtherDifferences) {
  const Measurement m = compare(floats({infinity_f, -infinity_f, 1}), floats({infinity_f, -infinity_f, 1.0001F}));
  EXPECT_EQ(m.nonfinite_mismatch, 0);
  EXPECT_EQ(verdict_of(m), Verdict::deviates);
}

TEST(Measure, SignedZerosAreNotedAndEqual) {
  const Measurement m = compare(floats({0.F, 1}), floats({-0.F, 1}));
  EXPECT_EQ(m.note, "signed zeros differ");
  EXPECT_EQ(m.mismatched, 0);
  EXPECT_EQ(m.max_rel, 0);
  EXPECT_EQ(verdict_of(m), Verdict::equivalent);
  EXPECT_FALSE(is_structural(m));
}

TEST(Measure, EmptyTensorsAndScalars) {
  const auto empty = Tensor::of<float>({0, 3}, {});
  EXPECT_EQ(verdict_of(compare(empty, empty)), Verdict::equivalent);
  EXPECT_EQ(compare(empty, empty).elements, 0);
  EXPECT_EQ(verdict_of(compare(empty, Tensor::of<float>({0, 4}, {}))), Verdict::diverged);
  EXPECT_EQ(verdict_of(compare(Tensor::of<float>({}, {2}), Tensor::of<float>({}, {2}))), Verdict::equivalent);
  EXPECT_EQ(verdict_of(compare(Tensor::of<float>({}, {2}), Tensor::of<float>({1}, {2}))), Verdict::diverged);
}

TEST(Measure, AnotherShapeOrTypeIsStructural) {
  const Measurement shape = compare(Tensor::of<float>({1, 2}, {1, 2}), floats({1, 2}));
  EXPECT_EQ(shape.note, "shape [1,2] became [2]");
  EXPECT_TRUE(is_structural(shape));
  EXPECT_EQ(verdict_of(shape), Verdict::diverged);
  EXPECT_EQ(shape.beyond_tolerance, 2);
  const Measurement type = compare(floats({1, 2}), halves({1, 2}));
  EXPECT_EQ(type.note, "float32 became float16");
  EXPECT_TRUE(is_structural(type));
  EXPECT_EQ(verdict_of(type), Verdict::diverged);
}

TEST(Measure, CosineOfZeroVectors) {
  EXPECT_EQ(compare(floats({0, 0}), floats({-0.F, 0})).cosine, 1);
  EXPECT_EQ(compare(floats({0, nan_f}), floats({0, 1})).cosine, 1) << "only what is finite on both sides";
  EXPECT_EQ(compare(floats({0, 0}), floats({1, 0})).cosine, 0);
  EXPECT_EQ(compare(floats({1, 0}), floats({0, 0})).cosine, 0);
  EXPECT_DOUBLE_EQ(compare(floats({1, 0}), floats({-1, 0})).cosine, -1);
  EXPECT_NEAR(compare(floats({1, 0}), floats({1, 1})).cosine, std::sqrt(0.5), 1e-12);
}

TEST(Measure, LargeDoublesDoNotOverflowTheSums) {
  const auto r = Tensor::of<double>({2}, {1e300, 1e300});
  const auto v = Tensor::of<double>({2}, {1e300, 2e300});
  const Measurement m = compare(r, v);
  EXPECT_NEAR(m.cosine, 3 / std::sqrt(10.0), 1e-12);
  EXPECT_NEAR(m.atol, 1e293, 1e283);
  EXPECT_EQ(m.rtol, 1e-6);
}

TEST(Measure, UlpsCountRepresentableNumbers) {
  EXPECT_EQ(compare(floats({1}), floats({std::nextafter(1.F, 2.F)})).max_ulp, 1);
  const auto one = Tensor::of<double>({1}, {1});
  EXPECT_EQ(compare(one, Tensor::of<double>({1}, {std::nextafter(1.0, 0.0)})).max_ulp, 1);
  EXPECT_EQ(compare(halves({1}), halves({1.0F + 3.0F / 1024})).max_ulp, 3);
}

TEST(Measure, Float16AndBfloat16HaveTheirOwnTolerances) {
  const Measurement half = compare(halves({1, 1}), halves({1.015F, 1}));
  EXPECT_EQ(half.rtol, 1e-2);
  EXPECT_EQ(verdict_of(half), Verdict::deviates);
  EXPECT_EQ(verdict_of(compare(halves({1, 1}), halves({1.03F, 1}))), Verdict::diverged);
  EXPECT_EQ(verdict_of(compare(halves({infinity_f, nan_f}), halves({infinity_f, nan_f}))), Verdict::equivalent);
  const auto brain = [](float x) { return raw<std::uint16_t>(DType::bf16, {1}, {float_to_bfloat16(x)}); };
  EXPECT_EQ(verdict_of(compare(brain(1), brain(1.0625F))), Verdict::deviates);
  EXPECT_EQ(verdict_of(compare(brain(1), brain(1.25F))), Verdict::diverged);
  EXPECT_EQ(compare(brain(1), brain(1.0625F)).max_ulp, 8);
}

TEST(Measure, Float8IsComparedByValue) {
  const auto e4m3 = [](std::uint8_t bits) { return raw<std::uint8_t>(DType::f8e4m3fn, {1}, {bits}); };
  const Measurement m = compare(e4m3(0x38), e4m3(0x39));  // 1 and 1.125
  EXPECT_DOUBLE_EQ(m.max_abs, 0.125);
  EXPECT_EQ(m.max_ulp, 1);
  EXPECT_EQ(verdict_of(m), Verdict::deviates);
  EXPECT_EQ(verdict_of(compare(e4m3(0x38), e4m3(0x48))), Verdict::diverged);
}

TEST(Measure, IntegersAreExactWhateverTheTolerance) {
  const auto r = Tensor::of<std::int64_t>({2}, {1000000, -5});
  const auto v = Tensor::of<std::int64_t>({2}, {1000001, -5});
  const Measurement m = measure(r, v, {.atol = 10.0, .rtol = 1.0});
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_EQ(m.max_abs, 1);
  EXPECT_EQ(m.max_ulp, 0);
  EXPECT_EQ(m.atol, 0);
}

TEST(Measure, SixtyFourBitIntegersLoseNothing) {
  const std::int64_t big = (std::int64_t{1} << 62) + 1;
  EXPECT_EQ(compare(Tensor::of<std::int64_t>({1}, {big}), Tensor::of<std::int64_t>({1}, {big + 1})).max_abs, 1);
  const auto low = Tensor::of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::min()});
  const auto high = Tensor::of<std::int64_t>({1}, {std::numeric_limits<std::int64_t>::max()});
  EXPECT_NEAR(compare(low, high).max_abs, 1.8446744073709552e19, 1e4);
  EXPECT_EQ(
      compare(Tensor::of<std::uint64_t>({1}, {UINT64_MAX}), Tensor::of<std::uint64_t>({1}, {UINT64_MAX - 2})).max_abs,
      2);
}

template <class T>
class EveryInteger : public testing::Test {};
using Integers = testing::Types<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                                std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(EveryInteger, Integers);

TYPED_TEST(EveryInteger, DifferencesAreCounted) {
  const auto r = Tensor::of<TypeParam>({3}, {1, 2, 3});
  const auto v = Tensor::of<TypeParam>({3}, {1, 7, 2});
  const Measurement m = compare(r, v);
  EXPECT_EQ(m.max_abs, 5);
  EXPECT_EQ(m.max_rel, 2.5);
  EXPECT_EQ(m.mismatched, 2);
  EXPECT_EQ(m.beyond_tolerance, 2);
  EXPECT_EQ(verdict_of(compare(r, r)), Verdict::equivalent);
}

TEST(Measure, BoolsAndStringsAreExact) {
  const auto yes_no = raw<std::uint8_t>(DType::boolean, {2}, {1, 0});
  const auto yes_yes = raw<std::uint8_t>(DType::boolean, {2}, {1, 1});
  EXPECT_EQ(compare(yes_no, yes_yes).mismatched, 1);
  EXPECT_EQ(verdict_of(compare(yes_no, yes_yes)), Verdict::diverged);
  const auto words = Tensor::from_strings({2}, {"a", "b"}).value();
  const auto others = Tensor::from_strings({2}, {"a", "c"}).value();
  EXPECT_EQ(verdict_of(compare(words, words)), Verdict::equivalent);
  EXPECT_EQ(compare(words, others).mismatched, 1);
  EXPECT_EQ(compare(words, others).elements, 2);
  EXPECT_EQ(verdict_of(compare(words, others)), Verdict::diverged);
}

TEST(Measure, ComplexNumbersAreComparedPartByPart) {
  const auto r = raw<float>(DType::c64, {1}, {1, 2});
  const auto v = raw<float>(DType::c64, {1}, {1, 4});
  const Measurement m = compare(r, v);
  EXPECT_EQ(m.elements, 2);
  EXPECT_EQ(compare(r, r).elements, 2);
  EXPECT_EQ(m.mismatched, 1);
  EXPECT_DOUBLE_EQ(m.max_abs, 2);
}

TEST(Measure, NibblesAreExact) {
  const auto r = raw<std::uint8_t>(DType::u4, {2}, {0x21});
  const auto v = raw<std::uint8_t>(DType::u4, {2}, {0x31});
  EXPECT_EQ(compare(r, v).mismatched, 1);
  EXPECT_EQ(verdict_of(compare(r, v)), Verdict::diverged);
}

/// As if draws had moved an element in the middle so that `limit` follows.
Explained within(const Tensor& reference, double limit) {
  Explained explained = explain(reference, {.nature = nature_for(reference.dtype(), Nature::stepped)});
  explained.scales[0].deviation = limit / times_reach(explained.drawn.nature);
  return explained;
}

TEST(Limits, WhatLiesWithinThemIsRounding) {
  const Tensor r = Tensor::of<float>({3}, {1, 2, 3});
  const Tensor v = Tensor::of<float>({3}, {1.25F, 2, 3.5F});
  const Explained quarter = within(r, 0.25), half = within(r, 0.5), tenth = within(r, 0.1);
  const Measurement m = measure(r, v, {}, {&quarter});
  EXPECT_EQ(m.mismatched, 2);
  EXPECT_EQ(m.beyond_floor, 1);
  EXPECT_EQ(m.beyond_tolerance, 1);
  EXPECT_NEAR(m.floor, 0.25, 1e-5);
  EXPECT_EQ(m.worst, 0.5);
  EXPECT_NEAR(m.times, 2, 1e-4);
  EXPECT_EQ(verdict_of(measure(r, v, {}, {&half})), Verdict::equivalent) << "also where it hides the tolerance";
  EXPECT_EQ(verdict_of(measure(r, v, {.atol = 1, .rtol = 0}, {&tenth})), Verdict::deviates);
}

TEST(Limits, NeverHideNan) {
  const Tensor r = Tensor::of<float>({1}, {1});
  const Explained wide = within(r, 1e9);
  const Measurement m = measure(r, Tensor::of<float>({1}, {nan_f}), {}, {&wide});
  EXPECT_EQ(m.beyond_floor, 1);
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
}

TEST(Limits, OfNumbersThatAreWholeAreCountedInWholeSteps) {
  const Tensor r = Tensor::of<std::uint8_t>({2}, {7, 250});
  const Tensor v = Tensor::of<std::uint8_t>({2}, {8, 248});
  const Explained one = within(r, 1), two = within(r, 2);
  EXPECT_EQ(measure(r, v, {}, {&one}).beyond_tolerance, 1);
  EXPECT_EQ(verdict_of(measure(r, v, {}, {&two})), Verdict::equivalent);
}

TEST(Worse, TakesTheWorseFieldByFieldAndAddsCounts) {
  Measurement a, b;
  a.max_abs = 1, a.cosine = 0.5, a.elements = 10, a.mismatched = 2, a.atol = 0.1, a.times = 3,
  a.note = "signed zeros differ";
  b.max_abs = 2, b.cosine = 0.9, b.elements = 5, b.beyond_tolerance = 1, b.max_ulp = 7, b.note = "shape [1] became [2]";
  b.form = FormChange::shape;
  for (const Measurement& m : {worse(a, b), worse(b, a)}) {
    EXPECT_EQ(m.max_abs, 2);
    EXPECT_EQ(m.cosine, 0.5);
    EXPECT_EQ(m.elements, 15);
    EXPECT_EQ(m.mismatched, 2);
    EXPECT_EQ(m.beyond_tolerance, 1);
    EXPECT_EQ(m.max_ulp, 7);
    EXPECT_EQ(m.atol, 0.1);
    EXPECT_EQ(m.note, "shape [1] became [2]") << "a structural note outlives others";
  }
  EXPECT_EQ(worse(a, Measurement{}).note, "signed zeros differ");
}

TEST(VerdictOf, TheWorstOutputDecides) {
  Measurement fine, off, wrong;
  fine.mismatched = 1;  // rounding
  off.beyond_floor = off.mismatched = 1;
  wrong.beyond_tolerance = wrong.beyond_floor = wrong.mismatched = 1;
  EXPECT_EQ(verdict_of(Measurements{}), Verdict::equivalent);
  EXPECT_EQ(verdict_of(Measurements{{"a", fine}, {"b", off}}), Verdict::deviates);
  EXPECT_EQ(verdict_of(Measurements{{"a", wrong}, {"b", off}, {"c", fine}}), Verdict::diverged);
}

}  // namespace
}  // namespace culprit
