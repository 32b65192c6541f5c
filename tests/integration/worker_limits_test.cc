// CPU time, sleep and memory, of forks and of workers.
#include "pool_fixture.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using Stage = RunOutcome::Stage;

constexpr std::uint64_t some_memory = std::uint64_t{1} << 30;  // bytes

TEST_F(PoolTest, AForkThatComputesOrSleepsTooLongIsTimedOut) {
  auto workers = pool();
  OptimizeJob job = optimize({"busy", "grow", "full_sleep"});
  job.limits.cpu_seconds = short_time;
  const auto variants = variants_of(*workers, job);
  EXPECT_EQ(variants[0].failure.ending, Ending::timed_out);
  EXPECT_THAT(variants[0].failure.message, HasSubstr("CPU time"));
  EXPECT_FALSE(variants[1].failure.failed()) << variants[1].failure.message;
  EXPECT_EQ(variants[2].failure.ending, Ending::timed_out);
  EXPECT_THAT(variants[2].failure.message, HasSubstr("sleeps"));
}

TEST_F(PoolTest, APredicateThatHangsCountsAsAMatch) {
  auto workers = pool();
  OptimizeJob job = optimize({"scan_sleep", "idle", "scan_busy"});
  job.limits.cpu_seconds = short_time;
  const auto outcomes = (workers->submit(job), of<VariantOutcome>(drain(*workers)));
  ASSERT_EQ(outcomes.size(), 3u);
  for (const auto& variant : outcomes)
    EXPECT_EQ(variant.skipped_by_scan, variant.recipe == 1) << variant.failure.message;
}

TEST_F(PoolTest, AnImportThatHangsIsTimedOut) {
  auto workers = pool();
  for (const char* optimizer : {"import_sleep", "import_busy"}) {
    OptimizeJob job = optimize({"grow"});
    job.optimizer = optimizer;
    job.limits.cpu_seconds = short_time;
    workers->submit(job);
    const auto outcomes = drain(*workers);
    ASSERT_EQ(outcomes.size(), 1u);
    const auto& failure = std::get<ImportOutcome>(outcomes[0]).failure;
    EXPECT_EQ(failure.ending, Ending::timed_out) << failure.message;
    EXPECT_THAT(failure.message, HasSubstr("while importing the model"));
  }
}

TEST_F(PoolTest, ARunThatComputesOrSleepsTooLongIsTimedOut) {
  auto workers = pool();
  for (const char* deed : {"run_busy", "run_sleep", "load_busy", "load_sleep"}) {
    RunJob job = run(deed);
    job.limits.cpu_seconds = short_time;
    const RunOutcome outcome = only_run(*workers, job);
    EXPECT_EQ(outcome.failure.ending, Ending::timed_out) << outcome.failure.message;
    EXPECT_EQ(outcome.stage, deed[0] == 'r' ? Stage::run : Stage::load);
  }
}

TEST_F(PoolTest, TheTimeOfEarlierJobsDoesNotCount) {
  auto workers = pool(1);
  RunJob job = run("work", 1);
  job.limits.cpu_seconds = 1;  // of which each takes a fifth
  for (int i = 0; i < 7; ++i) EXPECT_EQ(only_run(*workers, job).stage, Stage::done);
  EXPECT_EQ(workers->counts().processes, 1);
}

TEST_F(PoolTest, WhatTakesTooMuchMemoryIsOutOfMemory) {
  auto workers = pool();
  OptimizeJob job = optimize({"hog", "grow"});
  job.limits.memory_bytes = some_memory;
  const auto variants = variants_of(*workers, job);
  EXPECT_EQ(variants[0].failure.ending, Ending::out_of_memory) << variants[0].failure.message;
  EXPECT_FALSE(variants[1].failure.failed()) << variants[1].failure.message;

  RunJob hog = run("run_hog");
  hog.limits.memory_bytes = some_memory;
  EXPECT_EQ(only_run(*workers, hog).failure.ending, Ending::out_of_memory);

  job.optimizer = "import_hog";
  workers->submit(job);
  const auto outcomes = drain(*workers);
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(std::get<ImportOutcome>(outcomes[0]).failure.ending, Ending::out_of_memory);
}

}  // namespace
}  // namespace culprit::testing
