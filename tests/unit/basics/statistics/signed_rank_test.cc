#include "statistics/signed_rank.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.h"
#include "statistics/looks.h"

namespace culprit {
namespace {

/// The chance that the sum of the ranks of positive values is below `sum`, by counting all choices of signs.
double chance_below(std::size_t sum, unsigned count) {
  std::size_t below = 0;
  for (unsigned signs = 0; signs < (1u << count); ++signs) {
    std::size_t ranks = 0;
    for (unsigned rank = 1; rank <= count; ++rank) ranks += (signs >> (rank - 1) & 1u) * rank;
    below += ranks < sum;
  }
  return static_cast<double>(below) / static_cast<double>(1u << count);
}

/// Nearly normal; now and then ten times as far out.
double noise(Random& random, bool is_rough) {
  const double value = random.normal();
  return is_rough && random.uniform() < 0.1 ? value * 10 : value;
}

TEST(SignedRank, PseudomedianIsTheMedianOfAllMeansOfPairs) {
  EXPECT_DOUBLE_EQ(pseudomedian(std::vector{3.0}), 3);
  EXPECT_DOUBLE_EQ(pseudomedian(std::vector{1.0, 2.0}), 1.5);
  // 1, 1.5, 2, 2.5, 3 and 51, 51.5, 52, 52.5, 101 ... of 1, 2, 3, 101: the middle of ten is (2.5 + 3) / 2.
  EXPECT_DOUBLE_EQ(pseudomedian(std::vector{1.0, 2.0, 3.0, 101.0}), 2.75);
}

TEST(SignedRank, CutsAsManyMeansAsAllChoicesOfSignsAllow) {
  for (unsigned count = 6; count <= 14; ++count) {
    std::vector<double> values(count);
    for (unsigned i = 0; i < count; ++i) values[i] = std::ldexp(1.0, static_cast<int>(i));  // all means differ
    std::vector<double> means;
    for (unsigned i = 0; i < count; ++i)
      for (unsigned j = i; j < count; ++j) means.push_back((values[i] + values[j]) / 2);
    std::sort(means.begin(), means.end());
    for (const double confidence : {0.8, 0.9, 0.95}) {
      std::size_t cut = 0;
      while (chance_below(cut + 1, count) <= (1 - confidence) / 2) ++cut;
      const Interval interval = signed_rank_interval(values, confidence);
      ASSERT_GT(cut, 0u);
      EXPECT_DOUBLE_EQ(interval.low, means[cut - 1]) << count << " values at " << confidence;
      EXPECT_DOUBLE_EQ(interval.high, means[means.size() - cut]) << count << " values at " << confidence;
    }
  }
}

TEST(SignedRank, TooFewValuesSayNothing) {
  const std::vector<double> five{1, 2, 3, 4, 5}, eight{1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_TRUE(std::isinf(signed_rank_interval(five).low));
  EXPECT_TRUE(std::isinf(signed_rank_interval(eight, 0.995).high));
  EXPECT_TRUE(std::isfinite(signed_rank_interval(eight, 0.95).high));
}

TEST(SignedRank, ManyValuesComeToTheSameByTheNormalOne) {
  Random random(1);
  std::vector<double> values(200);
  for (double& value : values) value = noise(random, false);
  const Interval exact = signed_rank_interval(values);
  values.push_back(pseudomedian(values));
  const Interval normal = signed_rank_interval(values);
  EXPECT_NEAR(normal.low, exact.low, 0.02);
  EXPECT_NEAR(normal.high, exact.high, 0.02);
}

TEST(SignedRank, HoldsTheCentreAsOftenAsItSays) {
  for (const bool is_rough : {false, true}) {
    Random random(7);
    int held = 0;
    constexpr int cases = 2000;
    for (int i = 0; i < cases; ++i) {
      std::vector<double> values(20);
      for (double& value : values) value = 0.3 + noise(random, is_rough);
      const Interval interval = signed_rank_interval(values);
      held += interval.low <= 0.3 && 0.3 <= interval.high;
    }
    EXPECT_GE(held, cases * 94 / 100) << is_rough;
    EXPECT_LE(held, cases * 97 / 100) << is_rough;
  }
}

/// The share of cases in which some look says that equal things differ.
double misled(bool spends) {
  Random random(11);
  int misled = 0;
  constexpr int cases = 1000;
  for (int i = 0; i < cases; ++i) {
    Looks looks = Looks::many();
    std::vector<double> values;
    bool is_misled = false;
    for (int look = 0; look < 7; ++look) {
      while (static_cast<std::int64_t>(values.size()) < looks.due()) values.push_back(noise(random, true));
      const double confidence = looks.look();
      const Interval interval = signed_rank_interval(values, spends ? confidence : 0.95);
      is_misled = is_misled || interval.low > 0 || interval.high < 0;
    }
    misled += is_misled;
  }
  return static_cast<double>(misled) / cases;
}

TEST(Looks, ManyLooksTogetherErrAsSeldomAsOne) {
  EXPECT_LE(misled(true), 0.05);
  EXPECT_GE(misled(false), 0.1);  // plain intervals: what spending is for
}

TEST(Looks, SpendNoMoreThanFivePercent) {
  EXPECT_DOUBLE_EQ(Looks::once().look(), 0.95);
  Looks looks = Looks::many();
  EXPECT_EQ(looks.due(), 9);
  double spent = 0;
  for (int i = 0; i < 40; ++i) {
    const auto due = looks.due();
    spent += 1 - looks.look();
    EXPECT_GT(looks.due(), due);
  }
  EXPECT_LE(spent, 0.05 + 1e-12);
  EXPECT_GT(spent, 0.0499);
}

}  // namespace
}  // namespace culprit
