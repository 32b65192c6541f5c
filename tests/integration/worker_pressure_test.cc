// What ends because of the machine, or of other work on it, is done again alone.
#include "pool_fixture.h"
#include "support/sanitized.h"
#include "tensor/pack_file.h"

namespace culprit::testing {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Stage = RunOutcome::Stage;

constexpr std::uint64_t gib = std::uint64_t{1} << 30;                       // bytes
constexpr std::uint64_t enough_memory = 8 * gib, part_of_memory = 2 * gib;  // for what wants 3 GiB

TEST_F(PoolTest, AKillFromOutsideIsTriedOnceMore) {
  auto workers = pool(1);
  const RunOutcome once = only_run(*workers, run("run_killed_once"));
  EXPECT_EQ(once.stage, Stage::done) << once.failure.message;
  EXPECT_EQ(workers->counts().sessions, 2);
  EXPECT_EQ(workers->counts().processes, 2);
  const RunOutcome always = only_run(*workers, run("run_sigkill"));
  EXPECT_EQ(always.failure.ending, Ending::out_of_memory);
  EXPECT_TRUE(always.failure.doubtful);
  EXPECT_EQ(workers->counts().sessions, 4);
}

TEST_F(PoolTest, ACrashIsNotTriedAgain) {
  auto workers = pool();
  workers->submit(run("work", 3));
  workers->submit(run("run_segfault"));
  EXPECT_EQ(of<RunOutcome>(drain(*workers)).size(), 2u);
  EXPECT_EQ(workers->counts().sessions, 2);
}

TEST_F(PoolTest, ARecipeWhoseForkIsKilledFromOutsideIsMadeOnceMore) {
  auto workers = pool();
  const auto variants = variants_of(*workers, optimize({"grow", "killed_once,grow", "sigkill", "grow"}));
  for (const std::size_t fine : {0, 1, 3}) EXPECT_FALSE(variants[fine].failure.failed()) << fine;
  EXPECT_EQ(variants[1].fingerprint, variants[0].fingerprint);
  EXPECT_TRUE(variants[2].failure.doubtful);
  EXPECT_EQ(workers->counts().imports, 3);  // all, and one again for each of the two
}

TEST_F(PoolTest, AnImportThatIsKilledFromOutsideIsTriedOnceMore) {
  auto workers = pool();
  OptimizeJob job = optimize({"", "grow"});
  job.optimizer = "import_killed_once";
  const auto variants = variants_of(*workers, job);
  EXPECT_FALSE(variants[1].failure.failed());
  EXPECT_EQ(workers->counts().imports, 2);
}

TEST_F(PoolTest, WhatIsOverItsTimeBesideOthersIsTriedOnceMoreAlone) {
  auto workers = pool(2);
  RunJob busy = run("run_busy_once");
  busy.limits.cpu_seconds = short_time;
  workers->submit(busy);
  workers->submit(run("echo"));
  for (const RunOutcome& outcome : of<RunOutcome>(drain(*workers)))
    EXPECT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  EXPECT_EQ(workers->counts().sessions, 3);
}

TEST_F(PoolTest, WhatIsOverItsTimeAloneIsNot) {
  auto workers = pool(2);
  RunJob busy = run("run_busy");
  busy.limits.cpu_seconds = short_time;
  EXPECT_EQ(only_run(*workers, busy).failure.ending, Ending::timed_out);
  EXPECT_EQ(workers->counts().sessions, 1);
}

TEST_F(PoolTest, NothingRunsBesideWhatIsToBeAlone) {
  auto workers = pool(4);
  RunJob alone = run("neighbours", 1);
  alone.alone = true;
  const JobId id = workers->submit(alone);  // begins at once
  RunJob other = alone;
  other.alone = false;
  for (int i = 0; i < 6; ++i) {
    other.folder = folder() / ("others-" + std::to_string(i));
    workers->submit(other);
  }
  alone.folder = folder() / "last";
  const JobId last = workers->submit(alone);
  for (const RunOutcome& outcome : of<RunOutcome>(drain(*workers))) {
    if (outcome.job != id && outcome.job != last) continue;
    ASSERT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
    EXPECT_EQ(read_pack(outcome.outputs.at(0)).value().at(0).value.as<std::int64_t>()[0], 0);
  }
}

TEST_F(PoolTest, MemoryIsDivided) {
  PoolOptions some = options(8);
  some.memory_bytes = 3 * gib + 1;
  EXPECT_EQ(made(some)->places(), 3u);
  some.memory_bytes = 1;
  EXPECT_EQ(made(some)->places(), 1u);
  some.memory_bytes = 100 * gib;
  EXPECT_EQ(made(some)->places(), 8u);
}

TEST_F(PoolTest, WhatNeedsMoreThanItsPartGetsAllOfIt) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers map more than any part: the preset release";
  PoolOptions some = options(4);
  some.memory_bytes = enough_memory;
  auto workers = made(some);
  RunJob job = run("run_want");
  job.limits.memory_bytes = enough_memory;
  EXPECT_EQ(only_run(*workers, job).stage, Stage::done);
  EXPECT_EQ(workers->counts().sessions, 2);
  EXPECT_EQ(workers->places(), 2u);  // parts of 4 GiB from now on
  EXPECT_EQ(only_run(*workers, job).stage, Stage::done);
  EXPECT_EQ(workers->counts().sessions, 3);
  job.limits.memory_bytes = part_of_memory;  // its own limit, not a part: no other try
  EXPECT_EQ(only_run(*workers, job).failure.ending, Ending::out_of_memory);
  EXPECT_EQ(workers->counts().sessions, 4);
}

TEST_F(PoolTest, WhatIsOverItsOwnLimitOfMemoryBesideOthersIsNotTriedAgain) {
  auto workers = pool(2);
  RunJob job = run("run_bad_alloc");
  workers->submit(job);
  workers->submit(run("work"));
  drain(*workers);
  EXPECT_EQ(workers->counts().sessions, 3);  // with a part of the memory: once more
  auto others = pool(2);
  job.limits.memory_bytes = part_of_memory;
  others->submit(job);
  others->submit(run("work"));
  drain(*others);
  EXPECT_EQ(others->counts().sessions, 2);
}

TEST_F(PoolTest, ARecipeThatNeedsMoreThanItsPartGetsAllOfIt) {
  if (is_sanitized) GTEST_SKIP() << "sanitizers map more than any part: the preset release";
  PoolOptions some = options(4);
  some.memory_bytes = enough_memory;
  auto workers = made(some);
  OptimizeJob job = optimize({"grow", "want,grow"});
  job.limits.memory_bytes = enough_memory;
  const auto variants = variants_of(*workers, job);
  EXPECT_FALSE(variants[1].failure.failed()) << variants[1].failure.message;
  EXPECT_EQ(workers->counts().imports, 2);
}

TEST_F(PoolTest, TheLimitOfTimeIsThatOfOneSample) {
  auto workers = pool(1);
  RunJob job = run("work", 7);
  job.limits.cpu_seconds = 1;  // of which each takes a fifth
  const RunOutcome outcome = only_run(*workers, job);
  EXPECT_EQ(outcome.stage, Stage::done) << outcome.failure.message;
  ASSERT_EQ(outcome.took.samples.size(), 7u);
  for (const double seconds : outcome.took.samples) EXPECT_GT(seconds, 0.19);
}

TEST_F(PoolTest, WhatIsCutShortBesideTheOriginalTellsNothing) {
  auto workers = pool(1);
  RunJob job = run("run_busy");
  job.limits.cpu_seconds = short_time;
  job.original_took = Pace{0.001, {0.1, 0.1}};  // 10 times that is more than the limit
  const RunOutcome cut = only_run(*workers, job);
  EXPECT_EQ(cut.failure.ending, Ending::timed_out);
  EXPECT_TRUE(cut.failure.machine);
  EXPECT_THAT(cut.failure.message, HasSubstr("tells nothing"));
  job.original_took = Pace{0.001, {0.01, 0.01}};
  const RunOutcome slow = only_run(*workers, job);
  EXPECT_EQ(slow.failure.ending, Ending::timed_out);
  EXPECT_FALSE(slow.failure.machine);
  EXPECT_EQ(slow.failure.limit, short_time);
}

}  // namespace
}  // namespace culprit::testing
