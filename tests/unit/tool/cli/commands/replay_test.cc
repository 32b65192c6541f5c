#include "cli/commands/replay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string told(ReplayState state, int shown, const char* confirmed) {
  Replayed replayed;
  replayed.path = "repro/F1";
  replayed.facts.confirmed = confirmed;
  replayed.replay.state = state;
  replayed.replay.shown = shown;
  replayed.replay.tries = 3;
  return replays_as_text({replayed}, 200);
}

TEST(ReplayText, AFaultThatShowsInSomeTriesIsSaidToBeFlaky) {
  EXPECT_THAT(told(ReplayState::there, 2, "2/2"),
              HasSubstr("still there (2/3), flaky: it shows in 9 % to 99 % of runs"));
  EXPECT_THAT(told(ReplayState::there, 3, "2/2"), Not(HasSubstr("flaky")));
}

TEST(ReplayText, AFlakyFaultThatDidNotShowMayNotBeGone) {
  EXPECT_THAT(told(ReplayState::gone, 3, "1/2"), HasSubstr("it may still show in 0 % to 71 % of runs"));
  EXPECT_THAT(told(ReplayState::gone, 3, "2/2"), Not(HasSubstr("flaky")));
}

}  // namespace
}  // namespace culprit
