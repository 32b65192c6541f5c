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

TEST(Cautions, WaitingForACpuIsNotTheProfilersDoing) {
  NodeTimes times = of_run(0.0068);
  EXPECT_FALSE(nodes_waited(times));
  times.waited_seconds = 0.0051;
  EXPECT_FALSE(profiler_slows_run(times, 0.002)) << "without the waiting 1.7 ms";
  const auto warning = nodes_waited(times);
  ASSERT_TRUE(warning);
  EXPECT_EQ(warning->code, "nodes_waited");
  EXPECT_THAT(warning->message, HasSubstr("75 % of each run"));
}

TEST(Cautions, WhatTheBudgetLeftOpenIsNamedWithTheTimeThatDoes) {
  EXPECT_FALSE(budget_spent({}));
  Unfinished unfinished{.budget = 60, .unsure = {"basic"}, .needed = 150};
  const auto one = budget_spent(unfinished);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->code, "budget_spent");
  EXPECT_THAT(one->message, AllOf(HasSubstr("(60 s)"), HasSubstr("'basic' was sure"), HasSubstr("--budget 150s")));
  unfinished.not_measured[Beside::nodes] = {"a", "b"};
  unfinished.open_blames = {"mine"};
  unfinished.is_at_edge = true;
  EXPECT_THAT(budget_spent(unfinished)->message,
              AllOf(HasSubstr("the nodes of 'a', 'b'"), HasSubstr("blame for 'mine'"), HasSubstr("at the edge")));
  const auto many = budget_spent({.budget = 0.5, .unsure = {"a", "b", "c", "d", "e", "f", "g", "h"}, .needed = 1});
  EXPECT_THAT(many->message, AllOf(HasSubstr("'f' and 2 more were"), Not(HasSubstr("'g'")), HasSubstr("--budget 1s")));
  EXPECT_THAT(budget_spent({.budget = 1, .unsure = {"bad\x1b[31m"}})->message, Not(HasSubstr("\x1b")));
  EXPECT_THAT(budget_spent({.open_blames = {"mine"}})->message, HasSubstr("that --blame has without --budget"));
}

}  // namespace
}  // namespace culprit
