#include "repro/replay.h"

#include "repro_samples.h"
#include "unit/jobs/check/bench.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// A repro of the fault that pass a makes, and an executor that does what a test says.
class Replays : public ::testing::Test {
 protected:
  Replays() { executor.passes["a"] = breaks("wrong"); }

  Result<Replay> try_replay(const ReproFacts& facts, int tries = 3) {
    const Bundle bundle = sample_bundle(folder_.path(), facts);
    const fs::path work = folder_.path() / ("work" + std::to_string(++runs_));
    fs::create_directory(work);
    return culprit::replay(bundle, tries, {}, {executor, work});
  }

  Replay replay(const ReproFacts& facts, int tries = 3) {
    auto made = try_replay(facts, tries);
    if (!made) throw std::runtime_error(made.error().text());
    return *made;
  }

  /// Facts with the signature that is to be expected of this verdict.
  static ReproFacts facts_of(Verdict verdict, const std::string& rest = "BatchNormalization ->  | ") {
    ReproFacts facts = sample_facts();
    facts.verdict = verdict;
    facts.signature = std::string(name_of(verdict)) + " | a | " + rest;
    facts.limits = {{"y", {1e-4, 1e-3, 0, {}}}};
    return facts;
  }

  FakeExecutor executor;

 private:
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-replay-").value();
  int runs_ = 0;
};

TEST_F(Replays, AFaultThatShowsEachTimeIsStillThere) {
  const Replay again = replay(facts_of(Verdict::diverged));
  EXPECT_EQ(again.state, ReplayState::there) << again.signature;
  EXPECT_EQ(again.shown, 3);
  EXPECT_EQ(again.tries, 3);
  EXPECT_EQ(again.verdict, Verdict::diverged);
  EXPECT_THAT(again.message, HasSubstr("output 'y' differs by 0.5"));
  EXPECT_EQ(again.runtime, "1.31.1");
  EXPECT_EQ(executor.optimized.size(), 3U) << "each try from the import on";
  const auto is_no_draw = [](const RunJob& job) { return job.fresh_process; };
  EXPECT_EQ(std::ranges::count_if(executor.ran, is_no_draw), 4);
  EXPECT_EQ(executor.ran.size(), 4U + 3U) << "three draws serve all tries";
}

TEST_F(Replays, WhatIsRightOrUnchangedIsGone) {
  executor.passes["a"] = changes("other");
  EXPECT_EQ(replay(facts_of(Verdict::diverged)).state, ReplayState::gone);
  executor.passes["a"] = {};
  const Replay unchanged = replay(facts_of(Verdict::diverged));
  EXPECT_EQ(unchanged.state, ReplayState::gone);
  EXPECT_EQ(unchanged.shown, 3);
  EXPECT_THAT(unchanged.message, HasSubstr("leave the model as it is"));
  executor.passes["a"].skipped = true;
  EXPECT_EQ(replay(facts_of(Verdict::diverged)).state, ReplayState::gone);
}

TEST_F(Replays, WhatDrawsReachIsNoDifference) {
  ReproFacts facts = facts_of(Verdict::diverged);
  facts.tolerance = {0.0, 0.0};
  executor.passes["a"] = breaks("rounds", 1e-6F);
  EXPECT_EQ(replay(facts).state, ReplayState::gone);
  executor.passes["a"] = breaks("wrong", 0.01F);
  EXPECT_EQ(replay(facts).state, ReplayState::there);
}

TEST_F(Replays, AToleranceThatWasGivenStillCounts) {
  ReproFacts facts = facts_of(Verdict::diverged);
  facts.tolerance.atol = 1;
  EXPECT_EQ(replay(facts).state, ReplayState::gone);
  facts.strict = true;
  EXPECT_EQ(replay(facts).state, ReplayState::another) << "it deviates, and did not";
}

TEST_F(Replays, AnotherSignatureIsAnotherFailure) {
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGSEGV");
  const Replay another = replay(facts_of(Verdict::diverged));
  EXPECT_EQ(another.state, ReplayState::another);
  EXPECT_EQ(another.verdict, Verdict::optimizer_crashed);
  EXPECT_THAT(another.message, HasSubstr("killed by SIGSEGV"));
}

TEST_F(Replays, CrashesRefusalsAndFailedRunsAreFoundAgain) {
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(replay(facts_of(Verdict::optimizer_crashed, " | killed by SIGSEGV")).state, ReplayState::there);
  executor.passes["a"] = breaks("refused");
  executor.passes["a"].complaint = "no such op";
  EXPECT_EQ(replay(facts_of(Verdict::rejected, "BatchNormalization ->  | no such op")).state, ReplayState::there);
  executor.passes["a"] = breaks("dies");
  executor.passes["a"].running = failure(Ending::crashed, "killed by SIGFPE");
  const std::string error = "BatchNormalization ->  | killed by SIGFPE";
  EXPECT_EQ(replay(facts_of(Verdict::run_failed, error)).state, ReplayState::there);
}

TEST_F(Replays, AFaultThatFlickersIsStillThereAndCounted) {
  int makings = 0;
  executor.passes["a"] = changes("right");
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.fails_making = [&](const Recipe&) { return makings++ == 1; };
  const Replay flaky = replay(facts_of(Verdict::optimizer_crashed, " | killed by SIGSEGV"), 5);
  EXPECT_EQ(flaky.state, ReplayState::there);
  EXPECT_EQ(flaky.shown, 1);
  EXPECT_EQ(flaky.tries, 5);
}

TEST_F(Replays, WhereTheModelItselfFailsNothingIsSaid) {
  executor.original.running = failure(Ending::threw, "no such file");
  const Replay unknown = replay(facts_of(Verdict::diverged));
  EXPECT_EQ(unknown.state, ReplayState::unknown);
  EXPECT_EQ(unknown.tries, 0);
  EXPECT_THAT(unknown.message,
              HasSubstr("the model itself cannot be run without ONNX Runtime's optimizations (off): no such file"));
  EXPECT_TRUE(executor.optimized.empty());
}

TEST_F(Replays, TheMachineSaysNothingOfTheFault) {
  executor.passes["a"].making = failure(Ending::threw, "no space left");
  executor.passes["a"].making.machine = true;
  const Replay unknown = replay(facts_of(Verdict::diverged));
  EXPECT_EQ(unknown.state, ReplayState::unknown);
  EXPECT_THAT(unknown.message, HasSubstr("no space left"));
}

TEST_F(Replays, AtTheDeployLevelTheOriginalRunsThereToo) {
  executor.passes["a"] = changes("fused");
  executor.passes["a"].deployed = std::make_shared<Behaviour>(breaks("fused"));
  ReproFacts facts = facts_of(Verdict::diverged, " | ");
  facts.level = "all";
  facts.signature = "diverged at all | a |  | ";
  EXPECT_EQ(replay(facts).state, ReplayState::there);
  for (const RunJob& job : executor.ran) EXPECT_EQ(job.session.level, Level::all);
  facts.level = "off";
  EXPECT_EQ(replay(facts).state, ReplayState::gone);
}

TEST_F(Replays, TheRoundTripAndTheImportHaveReprosToo) {
  executor.round_trip = breaks("trip");
  ReproFacts facts = sample_facts();
  facts.recipe.passes.clear();
  facts.kind = FaultKind::control;
  facts.control = ControlName::round_trip;
  facts.culprits = {"round_trip"};
  facts.signature = "diverged | round_trip | BatchNormalization ->  | ";
  EXPECT_EQ(replay(facts).state, ReplayState::there);
  executor.import = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(replay(facts).state, ReplayState::another);
  facts.control = ControlName::import;
  facts.culprits = {"import"};
  facts.signature = "optimizer_crashed | import |  | killed by SIGSEGV";
  EXPECT_EQ(replay(facts).state, ReplayState::there);
  executor.import = {};
  EXPECT_EQ(replay(facts).state, ReplayState::gone);
}

TEST_F(Replays, OutcomesMayComeInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    executor.shuffle = seed;
    const Replay again = replay(facts_of(Verdict::diverged));
    EXPECT_EQ(again.state, ReplayState::there) << seed;
    EXPECT_EQ(again.shown, 3) << seed;
  }
}

TEST_F(Replays, AnInterruptEndsIt) {
  executor.interrupt_after = 2;
  EXPECT_EQ(try_replay(facts_of(Verdict::diverged)).error().kind, ErrorKind::interrupted);
}

}  // namespace
}  // namespace culprit
