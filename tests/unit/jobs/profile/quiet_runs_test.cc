#include "profile/nodes/quiet_runs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::ElementsAre;

TEST(QuietRuns, OnesThatWaitedAreDropped) {
  const QuietRuns runs = quiet_runs({1, 1, 1, 1}, {0, 0.5, 0.009, 0.02}, 2);
  EXPECT_THAT(runs.keep, ElementsAre(true, false, true, false));
  EXPECT_EQ(runs.quiet, 2);
  EXPECT_EQ(runs.waited_seconds, 0) << "less than a hundredth does not matter";
}

TEST(QuietRuns, WhereTooFewAreLeftThoseWithTheSmallestShareCountAndItIsTold) {
  const QuietRuns runs = quiet_runs({1, 1, 10, 1}, {4, 3, 6, 0}, 3);
  EXPECT_THAT(runs.keep, ElementsAre(false, true, true, true));
  EXPECT_EQ(runs.quiet, 1);
  EXPECT_DOUBLE_EQ(runs.waited_seconds, 3);
  EXPECT_THAT(quiet_runs({1}, {4}, 3).keep, ElementsAre(true));
}

TEST(QuietRuns, WhereNobodyCanTellAllCount) {
  const QuietRuns runs = quiet_runs({1, 2}, {}, 5);
  EXPECT_THAT(runs.keep, ElementsAre(true, true));
  EXPECT_EQ(runs.quiet, 2);
  EXPECT_EQ(runs.waited_seconds, 0);
}

}  // namespace
}  // namespace culprit
