#include "search/flaky.h"

#include <gtest/gtest.h>

#include <cmath>

namespace culprit {
namespace {

// Figures of the published tables of the exact interval.
TEST(Flaky, TheIntervalIsTheExactOne) {
  const Share nine_of_ten = likely_share(9, 10);
  EXPECT_NEAR(nine_of_ten.least, 0.5550, 5e-5);
  EXPECT_NEAR(nine_of_ten.most, 0.9975, 5e-5);
  const Share two_of_three = likely_share(2, 3);
  EXPECT_NEAR(two_of_three.least, 0.0943, 5e-5);
  EXPECT_NEAR(two_of_three.most, 0.9916, 5e-5);
}

TEST(Flaky, WhatWasAlwaysOrNeverSoIsNotCertain) {
  const Share always = likely_share(3, 3);
  EXPECT_NEAR(always.least, std::cbrt(0.025), 1e-9);
  EXPECT_EQ(always.most, 1);
  const Share never = likely_share(0, 3);
  EXPECT_EQ(never.least, 0);
  EXPECT_NEAR(never.most, 1 - std::cbrt(0.025), 1e-9);
}

TEST(Flaky, MoreRunsTellMore) {
  const Share few = likely_share(5, 10), many = likely_share(500, 1000);
  EXPECT_LT(few.least, many.least);
  EXPECT_GT(few.most, many.most);
  EXPECT_LT(many.most - many.least, 0.07);
}

TEST(Flaky, WithoutRunsNothingIsKnown) {
  const Share none = likely_share(0, 0);
  EXPECT_EQ(none.least, 0);
  EXPECT_EQ(none.most, 1);
}

TEST(Flaky, IsToldInPercent) { EXPECT_EQ(share_text(2, 3), "in 9 % to 99 % of runs, at 95 % confidence"); }

TEST(Flaky, StopsAskingWhereBothAnswersWereSeen) {
  int asked = 0;
  const Votes votes = ask([&asked] { return ++asked % 2 == 1; }, 10);
  EXPECT_EQ(votes.yes, 1U);
  EXPECT_EQ(votes.asked, 2U);
}

}  // namespace
}  // namespace culprit
