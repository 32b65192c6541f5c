#include "executor/step_limits.h"

#include <gtest/gtest.h>

namespace culprit {
namespace {

RunJob job_of(double limit, std::optional<Pace> original) {
  RunJob job;
  job.samples = {"0", "1"};
  job.limits.cpu_seconds = limit;
  job.original_took = std::move(original);
  return job;
}

double seconds(const RunJob& job, std::size_t step) { return limits_of_step(job, step).cpu_seconds; }

TEST(Patience, WithoutAnOriginalTheLimitIsThatOfEachStep) {
  const RunJob job = job_of(120, std::nullopt);
  for (const std::size_t step : {0, 1, 2, 3}) EXPECT_EQ(seconds(job, step), 120);
  EXPECT_EQ(seconds_for_all(job), 360);
  EXPECT_FALSE(is_cut_short(job, 1));
  EXPECT_EQ(seconds_for_all(job_of(0, std::nullopt)), 0);
}

TEST(Patience, TenTimesTheOriginalStepByStep) {
  const RunJob job = job_of(0, Pace{2, {118, 0.01}});
  EXPECT_EQ(seconds(job, 0), 20);
  EXPECT_EQ(seconds(job, 1), 1180);  // 121 s beside 118 s is no fault
  EXPECT_EQ(seconds(job, 2), 10);    // the least
  EXPECT_EQ(seconds(job, 3), 1180);  // what is behind the last sample
  EXPECT_EQ(seconds_for_all(job), 20 + 1180 + 10);
}

TEST(Patience, TheUsersLimitIsTheMost) {
  const RunJob job = job_of(120, Pace{0, {118, 11}});
  EXPECT_EQ(seconds(job, 1), 120);
  EXPECT_TRUE(is_cut_short(job, 1));
  EXPECT_EQ(seconds(job, 2), 110);
  EXPECT_FALSE(is_cut_short(job, 2));
  EXPECT_EQ(seconds(job_of(2, Pace{0, {0.1, 0.1}}), 1), 2);  // less than the least, if the user says so
  EXPECT_FALSE(is_cut_short(job_of(2, Pace{0, {0.1, 0.1}}), 1));
}

}  // namespace
}  // namespace culprit
