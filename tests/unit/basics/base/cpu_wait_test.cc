#include "base/cpu_wait.h"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <thread>

namespace culprit {
namespace {

void stay_on(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  ASSERT_EQ(sched_setaffinity(0, sizeof(set), &set), 0);
}

TEST(CpuWait, IsTheSecondNumberInNanoseconds) {
  EXPECT_DOUBLE_EQ(waited_seconds("122444 26294250 2\n"), 0.02629425);
  EXPECT_EQ(waited_seconds("1 0 1\n"), 0);
  EXPECT_EQ(waited_seconds(""), 0);
  EXPECT_EQ(waited_seconds("12"), 0);
  EXPECT_EQ(waited_seconds("12 "), 0);
  EXPECT_EQ(waited_seconds("12 34"), 0) << "cut off";
  EXPECT_EQ(waited_seconds("12 -34 5"), 0);
  EXPECT_EQ(waited_seconds("a b c"), 0);
}

TEST(CpuWait, IsNoTimeOfTheModelAndNeverMoreThanAll) {
  EXPECT_NEAR(seconds_less_wait(0.070, 0.065), 0.005, 1e-12);
  EXPECT_DOUBLE_EQ(seconds_less_wait(0.070, 0), 0.070);
  EXPECT_DOUBLE_EQ(seconds_less_wait(0.070, 0.071), 0.070) << "not meanwhile";
}

/// Two threads on one CPU: each has to wait for the other.
TEST(CpuWait, GrowsWhereAnotherThreadHasTheCpu) {
  std::atomic<bool> is_over = false, has_begun = false;
  std::thread measured([&] {
    const CpuWait wait;
    const double before = wait.seconds();
    const int cpu = sched_getcpu();
    stay_on(cpu);
    std::thread other([&] {
      stay_on(cpu);
      has_begun = true;
      while (!is_over) {
      }
    });
    while (!has_begun || wait.seconds() == before) {
    }
    EXPECT_GT(wait.seconds(), before);
    is_over = true;
    other.join();
  });
  measured.join();
}

}  // namespace
}  // namespace culprit
