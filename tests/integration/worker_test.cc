// Pools themselves: options, workers that cannot be started, workers that are not to be believed.
#include "pool_fixture.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using Stage = RunOutcome::Stage;

TEST_F(PoolTest, AnIdlePoolStartsNothing) {
  auto workers = pool();
  EXPECT_FALSE(workers->next());
  EXPECT_EQ(workers->counts().processes, 0);
}

TEST_F(PoolTest, RefusesNonsense) {
  PoolOptions bad = options(-1);
  EXPECT_EQ(make_pool(bad).error().kind, ErrorKind::usage);
  bad = options();
  bad.scratch = folder() / "nothing";
  EXPECT_EQ(make_pool(bad).error().kind, ErrorKind::not_found);
}

TEST_F(PoolTest, AMissingProgramIsToldOnceForEachJob) {
  PoolOptions missing = options();
  missing.program = folder() / "no-such-program";
  auto workers = made(missing);
  workers->submit(run("echo"));
  workers->submit(optimize({"grow"}));
  const auto outcomes = drain(*workers);
  ASSERT_EQ(outcomes.size(), 2u);
  const auto& ran = std::get<RunOutcome>(outcomes[0]);
  EXPECT_EQ(ran.stage, Stage::start);
  EXPECT_TRUE(ran.failure.failed());
  EXPECT_TRUE(ran.failure.machine);
  EXPECT_THAT(ran.failure.message, HasSubstr("no-such-program"));
  EXPECT_TRUE(std::get<ImportOutcome>(outcomes[1]).failure.machine);
  EXPECT_EQ(workers->counts().processes, 0);
}

TEST_F(PoolTest, AProgramThatIsNoWorkerEndsTheJob) {
  PoolOptions wrong = options();
  wrong.program = "/bin/false";
  const RunOutcome outcome = only_run(*made(wrong), run("echo"));
  EXPECT_EQ(outcome.stage, Stage::start);
  EXPECT_EQ(outcome.failure.message, "ended with exit status 1 before it was done");
}

TEST_F(PoolTest, AMissingRuntimeIsToldAtTheStart) {
  PoolOptions without = options();
  without.runner.library = "/no/such/libonnxruntime.so";
  const RunOutcome outcome = only_run(*made(without), run("echo"));
  EXPECT_EQ(outcome.stage, Stage::start);
  EXPECT_THAT(outcome.failure.message, HasSubstr("/no/such/libonnxruntime.so"));
}

class Liars : public PoolTest, public ::testing::WithParamInterface<const char*> {};

TEST_P(Liars, OptimizeJobsEndOnce) {
  auto workers = liars(GetParam());
  workers->submit(optimize({"grow", "idle"}));
  const auto outcomes = drain(*workers);
  const auto imports = of<ImportOutcome>(outcomes);
  ASSERT_EQ(imports.size(), 1u);
  EXPECT_EQ(of<VariantOutcome>(outcomes).size(), imports[0].failure.failed() ? 0u : 2u);
}

TEST_P(Liars, RunJobsEndOnce) {
  auto workers = liars(GetParam());
  const RunOutcome outcome = only_run(*workers, run("echo"));
  EXPECT_TRUE(outcome.failure.failed());
  EXPECT_TRUE(outcome.outputs.empty());
}

INSTANTIATE_TEST_SUITE_P(All, Liars,
                         ::testing::Values("garbage", "length", "empty", "variant_first", "index", "ending", "twice",
                                           "imported_twice", "optimized_early", "ran_first", "stage", "running_far",
                                           "quit"));

}  // namespace
}  // namespace culprit::testing
