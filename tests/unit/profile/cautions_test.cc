#include "profile/cautions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

NodeTimes of_run(double seconds) {
  NodeTimes times;
  times.run_seconds = seconds;
  return times;
}

TEST(Cautions, ARunThatTheProfilerMakesTwiceAsLongIsDoubted) {
  EXPECT_FALSE(profiler_slows_run(of_run(0.004), 0.002)) << "just twice";
  const auto warning = profiler_slows_run(of_run(0.0068), 0.002);
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->code, "profiler_slows_run");
  EXPECT_THAT(warning->message, HasSubstr("3.4 times as long"));
  EXPECT_THAT(warning->message, Not(HasSubstr("\n")));
  EXPECT_FALSE(profiler_slows_run(of_run(0.004), 0)) << "nobody timed it";
}

TEST(Cautions, WhatTheBudgetLeftOpenIsNamedWithTheFlagForMore) {
  EXPECT_FALSE(budget_spent({}, 60));
  const auto one = budget_spent({"basic"}, 60);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->code, "budget_spent");
  EXPECT_THAT(one->message, AllOf(HasSubstr("this row was sure: 'basic'"), HasSubstr("--budget 120s")));
  const auto many = budget_spent({"a", "b", "c", "d", "e", "f", "g", "h"}, 0.5);
  EXPECT_THAT(many->message, AllOf(HasSubstr("'f' and 2 more"), Not(HasSubstr("'g'")), HasSubstr("--budget 1s")));
  EXPECT_THAT(budget_spent({"bad\x1b[31m"}, 1)->message, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace culprit
