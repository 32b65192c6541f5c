#include "judge/scales.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/random.h"
#include "judge/judge.h"
#include "unit/judging/judge/tensors.h"

namespace culprit {
namespace {

using testing::SizeIs;

using Values = std::vector<float>;

/// Numbers of about this size, never the same twice.
Values numbers(std::size_t count, float size, std::uint64_t seed = 1) {
  Random random(seed);
  Values values(count);
  for (float& value : values) value = size * static_cast<float>(0.5 + random.uniform());
  return values;
}

/// Each element moved by so much, up or down; zeros stay.
Tensor moved(const Tensor& tensor, double relative, std::uint64_t seed) {
  Random random(seed);
  Values values(tensor.as<float>().begin(), tensor.as<float>().end());
  for (float& value : values)
    value += static_cast<float>(static_cast<double>(value) * relative * (2 * random.uniform() - 1));
  return floats(values, tensor.shape());
}

Explained drawn_by(const Tensor& reference, const std::vector<Tensor>& draws, Nature nature = Nature::smooth) {
  Drawn drawn{.nature = nature};
  for (const Tensor& draw : draws) add_draw(drawn, reference, draw, 1);
  return explain(reference, std::move(drawn));
}

TEST(Scales, OfAlikeElementsAreOne) {
  const Tensor r = floats(numbers(100, 3));
  const Explained explained = drawn_by(r, {moved(r, 1e-6, 2)});
  ASSERT_THAT(explained.scales, SizeIs(1));
  EXPECT_TRUE(explained.scale_of.empty());
  const Scale& scale = explained.scales[0];
  EXPECT_EQ(scale.elements, 100);
  EXPECT_NEAR(scale.rms, 3, 0.3);
  EXPECT_GT(scale.deviation, 1e-7);
  EXPECT_LT(scale.deviation, 5e-6);
  EXPECT_DOUBLE_EQ(scale.limit, 4 * scale.deviation + 8 * explained.eps * scale.rms);
}

TEST(Scales, LeaveFillersOut) {
  Values values = numbers(64, 1);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = -1e9F;
  const Tensor r = floats(values);
  Values other = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 3 != 0) other[i] *= 1.000001F;
  }
  const Explained explained = drawn_by(r, {floats(other)});
  EXPECT_NEAR(explained.scales.at(explained.scale_at(1)).rms, 1, 0.2);
  EXPECT_LT(explained.limit_at(1, 1), 1e-4);
}

TEST(Scales, OfElementsThatMoveLeaveOutConstants) {
  Values values = numbers(65, 2000);
  for (std::size_t i = 0; i < 40; ++i) values[i] = 3e5F + static_cast<float>(i);
  const Tensor r = floats(values);
  std::vector<Tensor> draws;
  for (std::uint64_t seed : {2, 3, 4}) {
    const Tensor all = moved(r, 1e-6, seed);
    Values other(all.as<float>().begin(), all.as<float>().end());
    std::copy_n(values.begin(), 40, other.begin());
    draws.push_back(floats(other));
  }
  const Explained explained = drawn_by(r, draws);
  ASSERT_THAT(explained.scales, SizeIs(1)) << "150 times apart, so no gap parts them";
  EXPECT_NEAR(explained.scales[0].rms, 2000, 300);
  EXPECT_GT(drawn_by(r, draws, Nature::stepped).scales[0].rms, 1e5) << "behind jumps many stand still by chance";
}

TEST(Scales, PartAlongAnAxisWhereSlicesAreFarApart) {
  for (const bool is_last : {true, false}) {
    const Shape shape = is_last ? Shape{16, 4} : Shape{4, 16};
    Values values(64);
    const Values small = numbers(64, 1), large = numbers(64, 1e4F, 2);
    for (std::size_t i = 0; i < 64; ++i) values[i] = (is_last ? i % 4 : i / 16) == 2 ? large[i] : small[i];
    const Tensor r = floats(values, shape);
    const Explained explained = drawn_by(r, {moved(r, 1e-7, 3)});
    ASSERT_THAT(explained.scales, SizeIs(2));
    EXPECT_NEAR(explained.scales[explained.scale_at(0)].rms, 1, 0.3);
  }
}

TEST(Scales, PartAlongAnAxisAlsoWhereSizesOverlap) {
  const Values small = numbers(256, 1);
  Values values = small;
  for (std::size_t row = 0; row < 64; ++row)  // 0.5 to 10,000, each a fifth larger than the one before
    values[4 * row + 2] = static_cast<float>(0.5 * std::pow(20000.0, static_cast<double>(row) / 63));
  const Tensor r = floats(values, {64, 4});
  const Explained explained = drawn_by(r, {moved(r, 1e-7, 3)});
  EXPECT_NEAR(explained.scales.at(explained.scale_at(0)).rms, 1, 0.3) << "no gap parts them, but the column does";
  EXPECT_GT(explained.scales.at(explained.scale_at(4 * 63 + 2)).rms, 1000);
}

TEST(Scales, PartAtGapsInSize) {
  Values values = numbers(32, 1);
  values[5] = 3e6F;
  const Tensor r = floats(values);
  const Explained explained = drawn_by(r, {moved(r, 1e-7, 3), moved(r, 1e-7, 4)});
  ASSERT_THAT(explained.scales, SizeIs(2));
  EXPECT_NE(explained.scale_at(5), explained.scale_at(4));
  EXPECT_LT(explained.limit_at(4, 1), 1e-5) << "what is large speaks for itself alone";
}

TEST(Scales, StayWithWhatTheyCancelledFrom) {
  Values values = numbers(32, 1e6F);
  for (std::size_t i = 0; i < 32; i += 2) values[i] = 0.01F * static_cast<float>(i + 1);
  const Tensor r = floats(values);
  Values other = values;
  for (std::size_t i = 0; i < 32; ++i) other[i] += i % 4 == 0 ? 0.0625F : -0.0625F;
  EXPECT_THAT(drawn_by(r, {floats(other)}).scales, SizeIs(1)) << "draws move the small ones as far as the large ones";
}

TEST(Scales, OneSensitiveElementLiftsNoOther) {
  const Tensor r = floats(numbers(75, 1));
  std::vector<Tensor> draws;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Values values(r.as<float>().begin(), r.as<float>().end());
    for (float& value : values) value *= 1.0000001F;
    values[10] += 0.5F;
    draws.push_back(floats(values));
  }
  const Explained explained = drawn_by(r, draws);
  EXPECT_GT(explained.limit_at(10, 1), 1.9);
  EXPECT_LT(explained.limit_at(11, 1), 1e-5);
}

TEST(Scales, TheMiddleIsThatOfAllThatAreNoFillers) {
  Values values = numbers(100, 1), few = values, most = values;
  for (std::size_t i = 0; i < 30; ++i) few[i] += 0.001F;
  for (std::size_t i = 0; i < 70; ++i) most[i] += 0.001F;
  EXPECT_EQ(drawn_by(floats(values), {floats(few)}).scales[0].deviation, 0);
  EXPECT_NEAR(drawn_by(floats(values), {floats(most)}).scales[0].deviation, 0.001, 1e-6);
  for (std::size_t i = 30; i < 100; ++i) values[i] = few[i] = 0;
  const Explained explained = drawn_by(floats(values), {floats(few)});
  EXPECT_NEAR(explained.scales[0].deviation, 0.001, 1e-6) << "of the 30";
  EXPECT_LT(explained.limit_at(50, 0), 1e-9) << "fillers borrow nothing";
}

TEST(Scales, AnElementBorrowsOnlyWhatItsOwnDrawsMakeLikely) {
  const Tensor r = floats(numbers(100, 1));
  Values values(r.as<float>().begin(), r.as<float>().end());
  for (std::size_t i = 0; i < 90; ++i) values[i] += 0.001F;
  for (std::size_t i = 90; i < 95; ++i) values[i] += 1e-6F;
  const auto limit_by = [&](int draws, std::size_t i) {
    return drawn_by(r, std::vector<Tensor>(static_cast<std::size_t>(draws), floats(values))).limit_at(i, 1);
  };
  EXPECT_NEAR(limit_by(3, 92), 4e-3, 1e-5);
  EXPECT_NEAR(limit_by(9, 92), 4 * 16e-6, 2e-5);
  EXPECT_NEAR(limit_by(27, 92), 4 * 4e-6, 1e-5);
  EXPECT_LT(limit_by(9, 97), 2e-6) << "one that stands still";
}

TEST(Scales, ASmallElementIsNotMadeOfLargeOnesThatNoDrawShows) {
  const Values values = {1, 150, 2e4F, 3e6F};
  Values draw = values;
  for (float& value : draw) value *= 1.0000002F;
  const Explained explained = drawn_by(floats(values), {floats(draw)});
  EXPECT_THAT(explained.scales, SizeIs(1)) << "no gap is wide enough";
  const std::vector<Tensor> draws(9, floats(draw));
  EXPECT_LT(drawn_by(floats(values), draws).limit_at(0, 1), 1e-4);
}

TEST(Scales, TellWhereOneDrawStandsOutAgainstTheOthers) {
  const Tensor r = floats(numbers(100, 1));
  const Tensor calm = moved(r, 1e-6, 1), calm2 = moved(r, 1e-6, 2);
  Values values(r.as<float>().begin(), r.as<float>().end());
  values[5] += 1;
  const Explained explained = drawn_by(r, {calm, calm2, floats(values)});
  EXPECT_EQ(explained.scales[0].once, 1);
  EXPECT_GT(explained.stands_out(), 1e4);
  EXPECT_EQ(explained.scales[0].unseen, poisson_limit(4.0 / 3));
  EXPECT_LT(drawn_by(r, {calm, calm2, moved(r, 1e-6, 3)}).stands_out(), 10);
}

TEST(Scales, TellHowManyMoreMayJump) {
  const Tensor r = floats(Values(1000, 1));
  const auto jumping = [&](const std::vector<std::size_t>& where) {
    Values values(1000, 1);
    for (const std::size_t i : where) values[i] = 2;
    return floats(values);
  };
  const Scale rare = drawn_by(r, {jumping({1, 2}), jumping({2, 3}), jumping({2, 4})}, Nature::stepped).scales[0];
  EXPECT_EQ(rare.once, 3) << "1, 3 and 4; what jumps always tells nothing of others";
  EXPECT_EQ(rare.jump, 1);
  EXPECT_EQ(rare.unseen, poisson_limit(4));
  const Scale lots = drawn_by(r, {jumping({1, 2, 3, 4}), jumping({}), jumping({})}, Nature::stepped).scales[0];
  EXPECT_EQ(lots.once, 4);
  EXPECT_EQ(lots.unseen, 4 * poisson_limit(4.0 / 3)) << "whatever jumps together is one event";
  const Scale always = drawn_by(r, {jumping({2}), jumping({2}), jumping({2})}, Nature::stepped).scales[0];
  EXPECT_EQ(always.once, 0);
  EXPECT_EQ(always.unseen, 0);
}

TEST(Scales, TellHowManyMoreMayFlip) {
  const float nan = std::nanf("");
  const Tensor r = floats({1, 2, 3, 4, 5, 6});
  const Explained explained = drawn_by(r, {floats({nan, nan, 3, 4, 5, 6}), floats({1, 2, nan, nan, 5, 6}), r});
  EXPECT_EQ(explained.unseen_flips, 2 * poisson_limit(8.0 / 3)) << "they come in pairs";
}

TEST(Scales, GiveWhatStandsAtABorderTheToleranceOfItsScale) {
  Values values = numbers(100, 1);
  for (std::size_t i = 0; i < 20; ++i) values[i] = 0;  // of a Relu; 20 to 40 are padding
  for (std::size_t i = 20; i < 40; ++i) values[i] = 0.75F;
  Values left = values;
  left[3] = 1e-7F;
  const Explained explained = drawn_by(floats(values), {floats(left), moved(floats(left), 1e-7, 1)});
  EXPECT_GT(explained.size_at(4, 0), 0.1) << "others left zero, so this one may stand just beside it";
  EXPECT_FALSE(explained.is_told(4));
  EXPECT_TRUE(explained.is_told(3));
  const Explained still = drawn_by(floats(values), {moved(floats(values), 1e-7, 1)});
  EXPECT_LT(still.size_at(4, 0), 1e-3) << "nobody left zero: it is no border";
}

TEST(Scales, TakeWhatCameTwoOrThreeTimesForWhatSeldomComes) {
  const float nan = std::nanf("");
  const Tensor r = floats({1, 2, 3, 4, 5, 6});
  const auto draws_with = [&](std::size_t times) {  // of 27: NaN in two elements, in so many draws each
    std::vector<Tensor> draws(27, r);
    for (std::size_t i = 0; i < times; ++i) {
      draws[i] = floats({1, 2, 3, 4, 5, nan});
      draws[20 - i] = floats({nan, 2, 3, 4, 5, 6});
    }
    return draws;
  };
  const std::int64_t some = poisson_limit(4.0 * 2 / 4 / 27);
  EXPECT_GT(some, 0);
  EXPECT_EQ(drawn_by(r, draws_with(1)).unseen_flips, some);
  EXPECT_EQ(drawn_by(r, draws_with(4)).unseen_flips, some) << "none came just once, and that is by chance";
  EXPECT_EQ(drawn_by(r, draws_with(5)).unseen_flips, 0);
  EXPECT_EQ(drawn_by(r, draws_with(13)).unseen_flips, 0) << "a coin that falls both ways tells nothing of others";
}

TEST(PoissonLimit, IsExceededOnceInAThousandTimes) {
  EXPECT_EQ(poisson_limit(0), 0);
  EXPECT_EQ(poisson_limit(0.001), 0);
  EXPECT_EQ(poisson_limit(0.1), 2);
  EXPECT_EQ(poisson_limit(1), 5);
  EXPECT_EQ(poisson_limit(10), 21);
  EXPECT_NEAR(static_cast<double>(poisson_limit(1000)), 1126, 2);
}

// --- what follows for a variant -----------------------------------------------------------------------------------

Measurement held(const Tensor& reference, const Tensor& variant, const Explained& explained) {
  return measure(reference, variant, {}, {&explained});
}

TEST(HeldAgainstDraws, AnErrorBesideFillersIsSeen) {
  Values values = numbers(64, 1);
  for (std::size_t i = 0; i < values.size(); i += 3) values[i] = -1e9F;
  const Tensor r = floats(values);
  Values drawn = values, wrong = values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (i % 3 != 0) drawn[i] *= 1.000001F;
  }
  wrong[7] += 2;
  const Measurement m = held(r, floats(wrong), drawn_by(r, {floats(drawn)}));
  EXPECT_EQ(verdict_of(m), Verdict::diverged);
  EXPECT_EQ(m.beyond_tolerance, 1);
  EXPECT_EQ(m.worst, 2);
  EXPECT_GT(m.times, 1000);
}

TEST(HeldAgainstDraws, AStepEverywhereIsNoRounding) {
  const Tensor r = Tensor::of<std::uint8_t>({100}, std::vector<std::uint8_t>(100, 7));
  std::vector<std::uint8_t> draw(100, 7);
  draw[3] = 8;
  Drawn drawn{.nature = Nature::stepped};
  add_draw(drawn, r, Tensor::of<std::uint8_t>({100}, draw), 1);
  const Explained explained = explain(r, std::move(drawn));
  EXPECT_EQ(verdict_of(held(r, Tensor::of<std::uint8_t>({100}, std::vector<std::uint8_t>(100, 8)), explained)),
            Verdict::diverged);
  std::vector<std::uint8_t> few(100, 7);
  few[50] = few[60] = 6;
  const Measurement m = held(r, Tensor::of<std::uint8_t>({100}, few), explained);
  EXPECT_EQ(verdict_of(m), Verdict::equivalent) << "a draw moved one that no other did: some more may";
  EXPECT_EQ(m.by_share, 2);
  EXPECT_EQ(m.by_share_beyond, 2) << "of a whole number, one step is beyond the tolerance";
  EXPECT_EQ(m.ties, 2);
}

TEST(HeldAgainstDraws, OfTwoTiedNamesAThirdIsNone) {
  const auto names = [](std::int64_t name) { return Tensor::of<std::int64_t>({1}, {name}); };
  Drawn drawn{.nature = Nature::named};
  add_draw(drawn, names(3), names(5), 1);
  add_draw(drawn, names(3), names(5), 4);
  const Explained explained = explain(names(3), std::move(drawn));
  EXPECT_EQ(held(names(3), names(5), explained).ties, 1);
  EXPECT_EQ(verdict_of(held(names(3), names(5), explained)), Verdict::equivalent);
  EXPECT_EQ(verdict_of(held(names(3), names(4), explained)), Verdict::diverged);
}

TEST(HeldAgainstDraws, NanThatDrawsGiveIsATieAndOtherNanIsNone) {
  const Tensor r = floats({0.001F, 1, 2, 3});
  Drawn drawn;
  for (int i = 0; i < 2; ++i) add_draw(drawn, r, floats({NAN, 1, 2, 3}), 1);
  const Explained explained = explain(r, std::move(drawn));
  const Measurement tie = held(r, floats({NAN, 1, 2, 3}), explained);
  EXPECT_EQ(tie.ties, 1);
  EXPECT_EQ(tie.nonfinite_mismatch, 0);
  EXPECT_EQ(verdict_of(tie), Verdict::equivalent);
  EXPECT_EQ(verdict_of(held(r, floats({0.001F, NAN, 2, 3}), explained)), Verdict::diverged);
  EXPECT_EQ(verdict_of(held(r, floats({INFINITY, 1, 2, 3}), explained)), Verdict::diverged) << "no draw gave that";
}

/// Two of a thousand are just beyond what three draws explain, and within the tolerance.
TEST(HeldAgainstDraws, AFewJustBeyondAreChanceUnlessItIsStrict) {
  const Tensor r = floats(numbers(1000, 1));
  const Explained explained = drawn_by(r, {moved(r, 1e-6, 1), moved(r, 1e-6, 2), moved(r, 1e-6, 3)});
  const auto with = [&](const std::vector<std::size_t>& wrong, float by) {
    Values values(r.as<float>().begin(), r.as<float>().end());
    for (const std::size_t i : wrong) values[i] += by;
    return floats(values);
  };
  const auto just = static_cast<float>(2 * explained.scales[0].limit);
  EXPECT_EQ(verdict_of(measure(r, with({3, 500}, just), {}, {.explained = &explained, .forgives = true})),
            Verdict::equivalent);
  EXPECT_EQ(verdict_of(measure(r, with({3, 500}, just), {}, {.explained = &explained})), Verdict::deviates);
  EXPECT_EQ(verdict_of(measure(r, with({3, 500}, 100 * just), {}, {.explained = &explained, .forgives = true})),
            Verdict::deviates)
      << "not just beyond";
  std::vector<std::size_t> many;
  for (std::size_t i = 0; i < 100; ++i) many.push_back(10 * i);
  EXPECT_EQ(verdict_of(measure(r, with(many, just), {}, {.explained = &explained, .forgives = true})),
            Verdict::deviates);
}

TEST(HeldAgainstDraws, OfAnotherShapeIsHeldWithoutThem) {
  const Tensor r = floats(numbers(8, 1)), other = floats(numbers(4, 1));
  const Explained explained = drawn_by(r, {moved(r, 1, 1)});
  EXPECT_EQ(verdict_of(held(other, floats({9, 9, 9, 9}), explained)), Verdict::diverged);
}

}  // namespace
}  // namespace culprit
