// Limits of time, for the process of the test itself.
#include "process/watch_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

namespace culprit {
namespace {

using ::testing::HasSubstr;

constexpr double short_time = 0.05, long_time = 1000;  // seconds

Limits limits_of(double cpu_seconds) {
  Limits limits;
  limits.cpu_seconds = cpu_seconds;
  return limits;
}

void compute_for(double seconds) {
  const std::clock_t start = std::clock();
  while (static_cast<double>(std::clock() - start) < seconds * CLOCKS_PER_SEC) {
  }
}

TEST(Watch, WhoUsedItsTimeIsOverTheLimitAndNotBefore) {
  const Watch strict(::getpid(), limits_of(short_time)), patient(::getpid(), limits_of(long_time)),
      endless(::getpid(), limits_of(0));
  compute_for(3 * short_time);
  const auto over = strict.over_limit();
  ASSERT_TRUE(over);
  EXPECT_EQ(over->ending, Ending::timed_out);
  EXPECT_THAT(over->message, HasSubstr("used "));
  EXPECT_THAT(over->message, HasSubstr("(limit 50 ms of CPU time)"));
  EXPECT_FALSE(patient.over_limit());
  EXPECT_FALSE(endless.over_limit());
}

TEST(Watch, WhoSleepsIsOverTheLimitWhenAsMuchTimeWentBy) {
  const Watch strict(::getpid(), limits_of(short_time)), patient(::getpid(), limits_of(long_time));
  std::this_thread::sleep_for(std::chrono::duration<double>(3 * short_time));
  const auto over = strict.over_limit();
  ASSERT_TRUE(over);
  EXPECT_EQ(over->ending, Ending::timed_out);
  EXPECT_THAT(over->message, HasSubstr("it sleeps or waits (limit 50 ms of CPU time)"));
  EXPECT_FALSE(patient.over_limit());
}

TEST(Watch, OnlyTimeSinceItWasMadeCounts) {
  constexpr double limit = 1;  // more than a busy machine lets a test wait between two lines
  compute_for(1.2 * limit);
  EXPECT_FALSE(Watch(::getpid(), limits_of(limit)).over_limit());
}

}  // namespace
}  // namespace culprit
