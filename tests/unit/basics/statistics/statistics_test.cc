#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

#include "base/random.h"
#include "statistics/bootstrap.h"
#include "statistics/exact_sum.h"
#include "statistics/group_bootstrap.h"
#include "statistics/interval.h"
#include "statistics/mcnemar.h"
#include "statistics/sample_values.h"
#include "statistics/sequential_ratio.h"
#include "support/not_numbers.h"

namespace culprit {
namespace {

std::vector<float> normal_values(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<float> values(count);
  for (float& value : values) value = static_cast<float>(5 + random.normal());
  return values;
}

TEST(Wilson, KeepsItsWidthAtTheEnds) {
  EXPECT_EQ(wilson_interval(0, 10).low, 0);
  EXPECT_GT(wilson_interval(0, 10).high, 0.2);
  EXPECT_EQ(wilson_interval(10, 10).high, 1);
  EXPECT_EQ(wilson_interval(0, 0).low, 0);
  EXPECT_EQ(wilson_interval(0, 0).high, 1);
}

TEST(Bootstrap, IsAsWideAsTheNormalDistributionSays) {
  const auto values = normal_values(400, 3);
  double sum = 0, squares = 0;
  for (const float value : values) sum += static_cast<double>(value);
  const double mean = sum / 400;
  for (const float value : values) squares += (static_cast<double>(value) - mean) * (static_cast<double>(value) - mean);
  const double reach = 1.96 * std::sqrt(squares / 399 / 400);
  const Interval interval = bootstrap_mean(values);
  EXPECT_NEAR(interval.low, mean - reach, 0.15 * reach);
  EXPECT_NEAR(interval.high, mean + reach, 0.15 * reach);
}

TEST(Bootstrap, HoldsTheMeanInNineteenOfTwentyCases) {
  int inside = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Interval interval = bootstrap_mean(normal_values(60, seed + 100), {.seed = seed, .draws = 400});
    if (interval.low <= 5 && 5 <= interval.high) ++inside;
  }
  EXPECT_GE(inside, 180);
  EXPECT_LE(inside, 199);
}

TEST(Bootstrap, TheSameSeedGivesTheSameBits) {
  const auto values = normal_values(101, 4);
  EXPECT_EQ(bootstrap_mean(values, {.seed = 7}).low, bootstrap_mean(values, {.seed = 7}).low);
  EXPECT_NE(bootstrap_mean(values, {.seed = 7}).low, bootstrap_mean(values, {.seed = 8}).low);
}

TEST(Bootstrap, OfARatioDrawsBothOfOneSample) {
  const auto below = normal_values(300, 5);
  std::vector<float> above = below;
  for (float& value : above) value *= 0.5F;
  const Interval interval = bootstrap_ratio(above, below);
  EXPECT_NEAR(interval.low, 0.5, 1e-12);
  EXPECT_NEAR(interval.high, 0.5, 1e-12);
}

TEST(McNemar, TenAgainstNoneIsSignificantAndSixAgainstNoneIsNot) {
  EXPECT_TRUE(is_significantly_more(10, 0));
  EXPECT_TRUE(is_significantly_more(7, 0));  // 1/128
  EXPECT_FALSE(is_significantly_more(6, 0));
  EXPECT_FALSE(is_significantly_more(0, 10));
  EXPECT_FALSE(is_significantly_more(500, 480));
  EXPECT_EQ(mcnemar_two_sided(0, 0), 1);
  EXPECT_EQ(mcnemar_more(0, 0), 1);
}

TEST(Sequential, IsSureAfter2940SamplesWithoutAChange) {
  SequentialTest test = SequentialTest::of(0.999, 0.001).value();
  EXPECT_EQ(test.least_samples(), 2940);
  for (int i = 0; i < 2939; ++i) EXPECT_EQ(test.add(true), SequentialAnswer::undecided);
  EXPECT_EQ(test.add(true), SequentialAnswer::holds);
  EXPECT_EQ(test.samples(), 2940);
}

TEST(Sequential, ChangesMakeItLongerAndThenFail) {
  SequentialTest test = SequentialTest::of(0.999, 0.001).value();
  EXPECT_EQ(test.add(false), SequentialAnswer::undecided);
  for (int i = 0; i < 2940; ++i) test.add(true);
  EXPECT_EQ(test.answer(), SequentialAnswer::undecided);
  for (int i = 0; i < 10; ++i) test.add(false);
  EXPECT_EQ(test.answer(), SequentialAnswer::fails);
  const auto samples = test.samples();
  EXPECT_EQ(test.add(true), SequentialAnswer::fails) << "an answer stays";
  EXPECT_EQ(test.samples(), samples);
}

/// Of so many series with this share, how many end with this answer?
int answers(double share, SequentialAnswer wanted) {
  int found = 0;
  for (std::uint64_t series = 0; series < 300; ++series) {
    Random random(series, "series");
    SequentialTest test = SequentialTest::of(0.95, 0.05).value();
    while (test.answer() == SequentialAnswer::undecided) test.add(random.uniform() < share);
    if (test.answer() == wanted) ++found;
  }
  return found;
}

TEST(Sequential, ErrsInAtMostFiveOfAHundredSeries) {
  EXPECT_LE(answers(0.95, SequentialAnswer::fails), 22);  // 15 and two standard deviations
  EXPECT_LE(answers(0.90, SequentialAnswer::holds), 22);
}

TEST(Sequential, SharesThatMakeNoTestAreRefused) {
  EXPECT_FALSE(SequentialTest::of(1, 0.1));
  EXPECT_FALSE(SequentialTest::of(0.9, 0));
  EXPECT_FALSE(SequentialTest::of(0.1, 0.1));
  EXPECT_FALSE(SequentialTest::of(std::nan(""), 0.1));
  EXPECT_FALSE(SequentialTest::of(0.9, 0.1, 0));
}

TEST(ExactSum, DoesNotDependOnHowTermsAreGrouped) {
  Random random(9);
  for (int turn = 0; turn < 50; ++turn) {
    std::vector<double> values(200);
    for (double& value : values) value = random.normal() * std::ldexp(1.0, static_cast<int>(random.between(-60, 60)));
    ExactSum one, left, right;
    const auto cut = random.between(0, 200);
    for (std::int64_t i = 0; i < 200; ++i) {
      one.add(values[i]);
      (i < cut ? left : right).add(values[i]);
    }
    StateWriter written;
    right.write(written);
    const std::string bytes = written.take();
    StateReader reader(bytes);
    left.merge(ExactSum::read(reader));
    EXPECT_TRUE(reader.is_at_end());
    EXPECT_EQ(one.value(), left.value());
    StateWriter whole, merged;
    one.write(whole);
    left.write(merged);
    EXPECT_EQ(whole.take(), merged.take());
  }
}

TEST(ExactSum, EndsOfTheNumberLine) {
  const auto sum_of = [](const std::vector<double>& values) {
    ExactSum sum;
    for (const double value : values) sum.add(value);
    return sum.value();
  };
  EXPECT_EQ(sum_of({}), 0);
  EXPECT_EQ(sum_of({1e308, 1e308, -1e308, -1e308, 5e-324}), 5e-324);
  EXPECT_EQ(sum_of({-1e-300, -3}), -3);
  EXPECT_EQ(sum_of({1, std::ldexp(1.0, -53)}), 1);                                     // half a step: to even
  EXPECT_EQ(sum_of({1, std::ldexp(1.0, -53), 1e-300}), 1 + std::ldexp(1.0, -52));      // more than half
  EXPECT_EQ(sum_of({-1, -std::ldexp(1.0, -53), -1e-300}), -1 - std::ldexp(1.0, -52));  // the same below zero
  EXPECT_EQ(sum_of({1.7e308, 1.7e308}), infinity);
  EXPECT_EQ(sum_of({infinity, 1}), infinity);
  EXPECT_TRUE(std::isnan(sum_of({infinity, -infinity})));
}

TEST(SampleValues, MergedInOrderTheyAreOneRun) {
  Random random(2);
  SampleValues whole, first, second;
  for (int i = 0; i < 500; ++i) {
    const double value = random.uniform();
    whole.add(value);
    (i < 123 ? first : second).add(value);
  }
  StateWriter written;
  second.write(written);
  const std::string bytes = written.take();
  StateReader reader(bytes);
  first.merge(SampleValues::read(reader));
  EXPECT_EQ(whole.mean(1).value, first.mean(1).value);
  EXPECT_EQ(whole.mean(1).low, first.mean(1).low);
  EXPECT_EQ(whole.mean(1).high, first.mean(1).high);
}

TEST(SampleValues, SharesThatAreAllOneAreNotCertain) {
  SampleValues ones;
  for (int i = 0; i < 20; ++i) ones.add(1);
  EXPECT_EQ(ones.share(1).value, 1);
  EXPECT_EQ(ones.share(1).high, 1);
  EXPECT_LT(ones.share(1).low, 0.9);
  EXPECT_EQ(ones.mean(1).low, 1);
  const Estimate ends = ones.mean_within(-1, 1, 1);
  EXPECT_EQ(ends.high, 1);
  EXPECT_NEAR(1 - ends.low, 2 * (1 - ones.share(1).low), 1e-12);
  EXPECT_LT(ones.ratio(ones, 1, 0, 1).low, 0.9);
  EXPECT_LT(around_draws(1, {1, 1, 1}, 20).low, 0.9);
}

TEST(GroupBootstrap, DrawsAsManyGroupsAsThereAre) {
  double first = 0;
  for (const GroupWeights& weights : draw_groups(0b10110, 3)) {
    EXPECT_EQ(weights[1] + weights[2] + weights[4], 3);
    first += static_cast<double>(weights[1]) / group_draws;
  }
  EXPECT_NEAR(first, 1, 0.3);
  EXPECT_EQ(draw_groups(7, 3), draw_groups(7, 3));
  EXPECT_NE(draw_groups(7, 3), draw_groups(7, 4));
}

TEST(GroupBootstrap, TheMiddleOfTheDraws) {
  std::vector<double> drawn;
  for (int i = 0; i <= 40; ++i) drawn.push_back(0.4 + 0.005 * i);
  const Estimate estimate = around_draws(0.5, drawn, 9);
  EXPECT_NEAR(estimate.low, 0.405, 1e-9);
  EXPECT_NEAR(estimate.high, 0.595, 1e-9);
  EXPECT_EQ(around_draws(0.5, {0.5}, 9).low, 0);
}

struct HitsOfGroup {
  std::int64_t hits = 0, all = 0;
  void merge(const HitsOfGroup& other, std::int64_t times) {
    hits += times * other.hits;
    all += times * other.all;
  }
  [[nodiscard]] double share() const { return static_cast<double>(hits) / static_cast<double>(all); }
};

TEST(GroupBootstrap, ANumberOfAllWithTheIntervalOfItsDraws) {
  std::array<HitsOfGroup, sample_groups> groups;
  groups[1] = {1, 10};
  groups[2] = {5, 10};
  groups[4] = {3, 10};
  const auto share = [&](const GroupWeights& weights) { return weighted_sum(groups, weights).share(); };
  const Estimate estimate = over_draws(0b10110, 3, 30, share);
  EXPECT_EQ(estimate.value, 0.3);
  EXPECT_NEAR(estimate.low, 0.1, 0.07) << "a draw may have the first group three times";
  EXPECT_NEAR(estimate.high, 0.5, 0.07);
  const auto only_of_all = [&](const GroupWeights& weights) {
    const bool are_all = weights[1] + weights[2] + weights[4] == 3 && weights[0] == 1;
    return are_all ? std::optional(share(weights)) : std::nullopt;
  };
  EXPECT_EQ(over_draws(0b10110, 3, 30, only_of_all).low, 0) << "no draw has it, so nothing is known";
}

TEST(SampleValues, HugeOnesAndThoseThatAreNoNumbers) {
  SampleValues values;
  values.add(1e300);
  values.add(1);
  EXPECT_EQ(values.mean(1).value, 5e299);
  EXPECT_LE(values.mean(1).low, 1);
  values.add(std::nan(""));
  EXPECT_TRUE(std::isnan(values.mean(1).value));
  EXPECT_EQ(middle_of({std::nan(""), 1, 1, std::nan("")}).low, 1);
  EXPECT_EQ(middle_of({std::nan("")}).high, 1);
}

TEST(SampleValues, BrokenStatesAreNotBelieved) {
  SampleValues values;
  values.add(3);
  StateWriter written;
  values.write(written);
  std::string bytes = written.take();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    StateReader reader(std::string_view(bytes).substr(0, size));
    SampleValues::read(reader);
    EXPECT_FALSE(reader.is_good()) << size;
  }
  for (std::size_t place = 0; place < bytes.size(); ++place) {
    std::string other = bytes;
    other[place] = static_cast<char>(0xff);
    StateReader reader(other);
    const SampleValues read = SampleValues::read(reader);
    EXPECT_LE(read.size(), 1U);
  }
}

}  // namespace
}  // namespace culprit
