#include "profile/profile_budget.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A clock that stands unless it is told to go.
struct Budget {
  double now = 0;
  ProfileBudget budget;
  explicit Budget(double seconds, bool shares_with_blame = false)
      : budget(TimePlan(seconds, [this] { return now; }), shares_with_blame, 300) {}
};

SpeedReport spent_on_speed(double seconds, std::int64_t blocks, SpeedVerdict verdict) {
  SpeedReport report;
  report.models.resize(2);
  report.models[0].verdict = SpeedVerdict::baseline;
  report.models[1].verdict = verdict;
  report.seconds = seconds;
  report.blocks = blocks;
  return report;
}

TEST(ProfileBudget, SpeedLeavesWhatIsBesideItsTime) {
  Budget time(60);
  time.now = 10;
  EXPECT_DOUBLE_EQ(time.budget.share_of_speed(0, 8, 1), 42);
  EXPECT_DOUBLE_EQ(time.budget.share_of_speed(0, 100, 1), 25) << "speed is what was asked for";
  EXPECT_DOUBLE_EQ(time.budget.share_of_speed(0, 8, 2), 21) << "another model is still to come";
  Budget both(60, true);
  both.now = 10;
  EXPECT_DOUBLE_EQ(both.budget.share_of_speed(0, 8, 1), 21) << "the other half is blame's";
  both.now = 30;
  EXPECT_DOUBLE_EQ(both.budget.share_of_speed(20, 8, 1), 21) << "what it had is a part of its share";
}

TEST(ProfileBudget, WhatDoesNotFitInIsLeftOutAndTold) {
  Budget time(60);
  const RowPace slow{1, 10, 1};
  EXPECT_TRUE(time.budget.fits(Beside::memory, "a", slow));
  EXPECT_FALSE(time.budget.what_is_open({}));
  time.now = 50;
  EXPECT_FALSE(time.budget.fits(Beside::memory, "a", slow)) << "two runs of 10 s";
  EXPECT_TRUE(time.budget.fits(Beside::memory, "b", {0.1, 0.01, 1}));
  time.now = 61;
  EXPECT_FALSE(time.budget.fits(Beside::optimizing, "b", {0, 0, 1})) << "nothing fits in no time";
  EXPECT_FALSE(time.budget.fits(Beside::limits, "", {}));
  const auto open = time.budget.what_is_open({});
  ASSERT_TRUE(open);
  EXPECT_THAT(open->message, HasSubstr("and before the machine's limits could be measured"));
  EXPECT_THAT(open->message, AllOf(HasSubstr("the memory of 'a'"), HasSubstr("optimizing of 'b'")));
  EXPECT_THAT(open->message, HasSubstr("--budget 93s")) << "61 s that were spent, 22.8 s left out, and a tenth";
}

TEST(ProfileBudget, WithoutAnEndAllFits) {
  Budget time(0);
  time.now = 1e6;
  EXPECT_TRUE(time.budget.fits(Beside::nodes, "a", {100, 100, 1}));
  EXPECT_FALSE(time.budget.has_end());
  EXPECT_DOUBLE_EQ(time.budget.seconds_of_blame(2), 300);
}

TEST(ProfileBudget, TheHintNamesTheTimeThatIsNeeded) {
  Budget time(30);
  time.now = 2;
  time.budget.begin_measuring();
  time.now = 30;
  SpeedReport speed = spent_on_speed(20, 10, SpeedVerdict::ambiguous);
  speed.is_out_of_time = true;
  speed.blocks_missing = 30;
  time.budget.take_speed(speed, {"off", "all"}, 6);
  EXPECT_DOUBLE_EQ(time.budget.seconds_a_block(), 2);
  const auto open = time.budget.what_is_open({});
  ASSERT_TRUE(open);
  EXPECT_THAT(open->message, AllOf(HasSubstr("'all' was sure"), Not(HasSubstr("'off'"))));
  EXPECT_THAT(open->message, HasSubstr("--budget 99s")) << "2 before, 20 and 60 of blocks, 8 beside, and a tenth";
}

TEST(ProfileBudget, BlameThatIsOpenNeedsItsTimeToo) {
  Budget time(60, true);
  time.now = 1;
  time.budget.begin_measuring();
  time.budget.take_speed(spent_on_speed(20, 20, SpeedVerdict::slower), {"as given", "mine"}, 6);
  time.now = 31;
  EXPECT_DOUBLE_EQ(time.budget.seconds_of_blame(2), 14.5);
  time.now = 60;
  BlameRecord blame;
  blame.entry = "mine";
  blame.seconds = 29;
  EXPECT_FALSE(time.budget.what_is_open({blame})) << "it came to its end";
  blame.open = {"a", "b"};
  blame.seconds_left = 41;
  const auto open = time.budget.what_is_open({blame});
  ASSERT_TRUE(open);
  EXPECT_THAT(open->message, HasSubstr("blame for 'mine'"));
  EXPECT_THAT(open->message, HasSubstr("--budget 120s")) << "1 before, 20 of speed, 10 beside, 70 of blame";
}

TEST(ProfileBudget, ABlockThatNobodyMadeIsAboutASecond) {
  Budget time(0.001);
  SpeedReport speed = spent_on_speed(0, 0, SpeedVerdict::not_measured);
  speed.is_out_of_time = true;
  speed.blocks_missing = 9;
  time.budget.take_speed(speed, {"off", "all"}, 6);
  EXPECT_DOUBLE_EQ(time.budget.seconds_a_block(), 0);
  EXPECT_THAT(time.budget.what_is_open({})->message, HasSubstr("--budget 9.9s"));
}

}  // namespace
}  // namespace culprit
