#include "bench.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class Confirm : public Bench {
 protected:
  Confirm() { options.each = {"a"}; }
};

TEST_F(Confirm, ADivergenceIsRunAgainInFreshProcesses) {
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_EQ(executor.runs_of("wrong"), 3U);
  int fresh = 0;
  for (const RunJob& job : executor.ran)
    fresh += job.model.stem() == hash128("wrong").hex() && job.fresh_process ? 1 : 0;
  EXPECT_EQ(fresh, 2);
  EXPECT_THAT(report.faults, SizeIs(1));
}

TEST_F(Confirm, AndItsVariantIsMadeAgain) {
  executor.passes["a"] = breaks("wrong");
  EXPECT_THAT(variant(check(), "a").warnings, IsEmpty());
  ASSERT_THAT(executor.optimized, SizeIs(3)) << "the second is the control optimizer_repeat";
  EXPECT_THAT(executor.optimized[2].recipes, SizeIs(1));
  EXPECT_EQ(executor.optimized[2].folder, "") << "only its fingerprint is asked for";
  executor.passes["a"].wanders = true;
  EXPECT_THAT(codes(variant(check(), "a").warnings), ElementsAre("optimizer_not_repeatable"));
}

TEST_F(Confirm, TheNumberOfConfirmationsIsAnOption) {
  executor.passes["a"] = breaks("wrong");
  options.confirmations = 3;
  EXPECT_EQ(variant(check(), "a").confirmed, "3/3");
  options.confirmations = 0;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").confirmed, "");
  EXPECT_THAT(report.faults, SizeIs(1));
}

TEST_F(Confirm, WhatIsNeverSeenAgainIsInconclusiveAndBlamedOnNothing) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].bad_runs = 1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_EQ(variant(report, "a").confirmed, "0/2");
  EXPECT_THAT(variant(report, "a").message, HasSubstr("not seen again in a fresh process: output 'y' differs"));
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 3) << "nothing else was judged";
}

TEST_F(Confirm, WhatIsNeverSeenAgainLeavesOpenOnlyItself) {
  options.each = {"a", "b"};
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].bad_runs = 1;
  executor.passes["b"] = changes("new");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(Confirm, WhatIsSeenAgainSometimesKeepsItsVerdictAndIsFlaky) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].bad_runs = 2;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_EQ(variant(report, "a").confirmed, "1/2");
  EXPECT_THAT(codes(variant(report, "a").warnings), Contains("flaky"));
  EXPECT_THAT(report.faults, SizeIs(1));
}

TEST_F(Confirm, OptimizerFailuresAreMadeAgain) {
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(variant(check(), "a").confirmed, "2/2");
  ASSERT_THAT(executor.optimized, SizeIs(4)) << "the second is the control optimizer_repeat";
  EXPECT_THAT(executor.optimized[3].recipes.at(0).passes, ElementsAre("a"));
}

TEST_F(Confirm, AnOptimizerThatCrashedOnceIsNotBlamed) {
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.passes["a"].bad_makings = 1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(Confirm, RefusalsAreMadeAgain) {
  executor.passes["a"] = changes("refused");
  executor.passes["a"].complaint = "invalid";
  EXPECT_EQ(variant(check(), "a").confirmed, "2/2");
  executor.passes["a"].content = "refused once";
  executor.passes["a"].bad_makings = 5;  // four are spent
  EXPECT_EQ(variant(check(), "a").confirmed, "0/2");
}

TEST_F(Confirm, RunsThatFailAreRunAgain) {
  executor.passes["a"] = changes("dies");
  executor.passes["a"].running = failure(Ending::crashed, "killed by SIGSEGV", "Aborted");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").confirmed, "2/2");
  EXPECT_EQ(variant(report, "a").last_words, "Aborted");
  EXPECT_THAT(executor.optimized, SizeIs(2)) << "only a divergence is made again, and the control";
}

TEST_F(Confirm, SharedVariantsAreConfirmedOnce) {
  options.each = {"a", "b"};
  executor.passes["a"] = breaks("wrong");
  executor.passes["b"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(executor.runs_of("wrong"), 3U);
  EXPECT_EQ(variant(report, "b").confirmed, "2/2");
}

TEST_F(Confirm, WhatIsRightIsNotConfirmed) {
  executor.passes["a"] = changes("new");
  EXPECT_EQ(variant(check(), "a").confirmed, "");
  EXPECT_EQ(executor.runs_of("new"), 1U);
}

TEST_F(Confirm, AnImportThatFailsIsOneFaultOfTheControl) {
  executor.import = failure(Ending::threw, "sparse initializers");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_THAT(report.variants, IsEmpty());
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, FaultKind::control);
  EXPECT_EQ(report.faults[0].control, ControlName::import);
  EXPECT_EQ(report.faults[0].verdict, Verdict::optimizer_crashed);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("import"));
  EXPECT_EQ(report.faults[0].message, "import: the optimizer threw importing the model: sparse initializers");
  EXPECT_THAT(control(report, "round_trip").message, HasSubstr("confirmed 2/2"));
  EXPECT_EQ(exit_code_of(report, false), 1);
  executor.import = failure(Ending::timed_out, "");
  EXPECT_EQ(check().faults.at(0).verdict, Verdict::timed_out);
}

TEST_F(Confirm, AnImportThatFailedOnceIsNoFaultButNothingWasJudgedEither) {
  executor.import = failure(Ending::crashed, "killed by SIGSEGV");
  executor.bad_imports = 1;
  const ModelReport report = check();
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::inconclusive);
  EXPECT_THAT(codes(report.warnings), ElementsAre("nothing_judged"));
  EXPECT_EQ(exit_code_of(report, false), 3);
}

}  // namespace
}  // namespace culprit
