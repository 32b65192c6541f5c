#include "trial/deploy_level.h"

#include "deploy_bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using testing::StartsWith;

using AtTheDeployLevel = DeployBench;

TEST_F(AtTheDeployLevel, OffSwitchesItOff) {
  options.deploy_level = Level::off;
  executor.passes["a"] = refused_there("x");
  const ModelReport report = check();
  EXPECT_EQ(runs_there(), 0U);
  EXPECT_FALSE(variant(report, "a").deployed);
  EXPECT_THROW(static_cast<void>(control(report, "runtime_optimized")), std::runtime_error);
}

TEST_F(AtTheDeployLevel, TheLevelOfTheReferenceTellsNothingNew) {
  options.deploy_level = Level::basic;
  executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
    stage = RunOutcome::Stage::load;
    return job.session.level == Level::off ? failure(Ending::threw, "not at off") : Failure{};
  };
  executor.passes["a"] = changes("new");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.reference_level, "basic");
  EXPECT_EQ(executor.runs_of("new"), 1U);
  EXPECT_FALSE(variant(report, "a").deployed);
}

TEST_F(AtTheDeployLevel, WhatLoadsAtOffAndNotThereIsTheRuntimesFault) {
  executor.passes["a"] = refused_there("x");
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  const VariantRecord& record = variant(report, "a");
  EXPECT_EQ(record.verdict, Verdict::equivalent);
  EXPECT_EQ(record.confirmed, "");
  EXPECT_EQ(record.deployed->verdict, Verdict::rejected);
  EXPECT_EQ(record.deployed->confirmed, "2/2");
  ASSERT_THAT(report.faults, SizeIs(1));
  const FaultRecord& fault = report.faults[0];
  EXPECT_EQ(fault.kind, FaultKind::runtime);
  EXPECT_EQ(fault.attribution, Attribution::runtime);
  EXPECT_EQ(fault.verdict, Verdict::rejected);
  EXPECT_THAT(fault.culprits, ElementsAre("a"));
  EXPECT_THAT(fault.variants, ElementsAre("V01"));
  EXPECT_EQ(fault.signature, "rejected at all | a | BatchNormalization ->  | Bad node *");
  EXPECT_EQ(fault.message,
            "a: with ONNX Runtime's optimizations (all): the runtime refuses it: Bad node 'n7'; it is right at level "
            "off, and the "
            "original is right at both levels, so the runtime mishandles what the optimizer leaves");
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(AtTheDeployLevel, WhatIsWrongOnlyThereIsTheRuntimesFault) {
  executor.passes["a"] = wrong_there("x");
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").measurements.at("y").max_abs, 0);
  EXPECT_NEAR(variant(report, "a").deployed->measurements.at("y").max_abs, 0.5, 1e-6);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].attribution, Attribution::runtime);
  EXPECT_THAT(report.faults[0].signature, StartsWith("diverged at all | a | "));
  EXPECT_THAT(report.faults[0].message, HasSubstr("optimizations (all): output 'y' differs by 0.5"));
}

TEST_F(AtTheDeployLevel, WhatIsWrongAtOffIsTheOptimizersFaultAndNotRunThere) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["a"].deployed = std::make_shared<Behaviour>(breaks("", 3));
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].attribution, Attribution::optimizer);
  EXPECT_EQ(report.faults[0].kind, FaultKind::single);
  EXPECT_EQ(executor.runs_of("wrong", Level::all), 0U);
  EXPECT_FALSE(variant(report, "a").deployed);
}

TEST_F(AtTheDeployLevel, WhatWasRefusedBeforeRunningIsNotRunThere) {
  executor.passes["a"] = changes("refused");
  executor.passes["a"].complaint = "invalid";
  executor.passes["b"] = changes("died");
  executor.passes["b"].making = failure(Ending::crashed, "killed by SIGSEGV");
  const ModelReport report = check();
  EXPECT_FALSE(variant(report, "a").deployed);
  EXPECT_FALSE(variant(report, "b").deployed);
}

TEST_F(AtTheDeployLevel, WhereTheOriginalFailsNothingIsJudged) {
  Behaviour there;
  there.running = failure(Ending::threw, "no such fusion");
  there.stage = RunOutcome::Stage::load;
  executor.original.deployed = std::make_shared<Behaviour>(there);
  executor.passes["a"] = refused_there("x", "no such fusion");
  const ModelReport report = check();
  EXPECT_EQ(runs_there(), 1U);
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::rejected);
  EXPECT_THAT(codes(report.warnings), ElementsAre("deploy_level_fails"));
  EXPECT_EQ(
      report.warnings[0].message,
      "the model itself cannot be run with ONNX Runtime's optimizations (all): the runtime refuses it: no such fusion; "
      "nothing was judged at that level");
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_FALSE(variant(report, "a").deployed);
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(AtTheDeployLevel, WhatTheRuntimeDoesToTheOriginalIsAWarningAndNoFault) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 0.25F));
  const ModelReport report = check();
  EXPECT_EQ(control(report, "runtime_optimized").verdict, Verdict::diverged);
  EXPECT_NEAR(control(report, "runtime_optimized").measurements.at("y").max_abs, 0.25, 1e-6);
  EXPECT_THAT(codes(report.warnings), ElementsAre("runtime_changes_values"));
  EXPECT_THAT(report.warnings[0].message, HasSubstr("output 'y' differs by 0.25"));
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(AtTheDeployLevel, WhatTheRuntimeDoesToBothIsNoDifference) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 7));
  executor.passes["a"] = wrong_there("x", 7);
  EXPECT_EQ(variant(check(), "a").deployed->verdict, Verdict::equivalent);
}

TEST_F(AtTheDeployLevel, WhatMovesNoFurtherThanTheOriginalIsBlamedOnNothing) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 0.25F));
  executor.passes["a"] = wrong_there("a little further", 0.375F);
  executor.passes["b"] = wrong_there("much further", 4);
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").deployed->verdict, Verdict::inconclusive);
  EXPECT_THAT(variant(report, "a").deployed->message, HasSubstr("alone move the original about as far"));
  EXPECT_EQ(variant(report, "b").deployed->verdict, Verdict::diverged);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("b"));
  EXPECT_THAT(report.faults[0].message, HasSubstr("the original runs at both levels, with other values,"));
}

TEST_F(AtTheDeployLevel, WhatIsThereAsTheOriginalIsAtOffIsRight) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 0.25F));
  executor.passes["a"] = changes("as at off");
  EXPECT_EQ(variant(check(), "a").deployed->verdict, Verdict::equivalent) << "it is the original that moves";
}

TEST_F(AtTheDeployLevel, NothingIsDrawnForWhatIsThereAsTheOriginalIsAtOff) {
  options.draws = 27;
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 1e-4F));
  executor.passes["a"] = changes("as at off");
  EXPECT_EQ(variant(check(), "a").deployed->verdict, Verdict::equivalent);
  for (const RunJob& job : executor.ran) EXPECT_FALSE(job.perturbation) << "bits tell";
}

TEST_F(AtTheDeployLevel, AnotherOutputThanTheOriginalsIsNoExcuse) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 0.25F));
  Behaviour there = breaks("", 0.25F);
  there.shift_z = 0.25F;
  executor.passes["a"] = right_at_off("x", there);
  EXPECT_EQ(variant(check(), "a").deployed->verdict, Verdict::diverged);
}

TEST_F(AtTheDeployLevel, AnotherShapeIsNeverWhatTheRuntimeDoes) {
  executor.original.deployed = std::make_shared<Behaviour>(breaks("", 0.25F));
  Behaviour there;
  there.reshapes = true;
  executor.passes["a"] = right_at_off("x", there);
  EXPECT_EQ(variant(check(), "a").deployed->verdict, Verdict::diverged);
}

TEST_F(AtTheDeployLevel, AFailureThatIsNotSeenAgainIsBlamedOnNothing) {
  Behaviour there = breaks("");
  there.bad_runs = 1;
  executor.passes["a"] = right_at_off("x", there);
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  const Deployed& deployed = variant(report, "a").deployed.value();
  EXPECT_EQ(deployed.verdict, Verdict::inconclusive);
  EXPECT_EQ(deployed.confirmed, "0/2");
  EXPECT_THAT(deployed.message, StartsWith("not seen again in a fresh process: output 'y'"));
  EXPECT_THAT(report.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(AtTheDeployLevel, AFailureIsConfirmedInFreshProcessesAtThatLevel) {
  Behaviour there = breaks("");
  there.bad_runs = 2;
  executor.passes["a"] = right_at_off("x", there);
  executor.passes["a"].wanders = true;
  options.each = {"a"};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").deployed->confirmed, "1/2");
  EXPECT_THAT(codes(variant(report, "a").warnings), ElementsAre("flaky", "optimizer_not_repeatable"));
  const auto fresh = std::ranges::count_if(
      executor.ran, [](const RunJob& job) { return job.session.level == Level::all && job.fresh_process; });
  EXPECT_EQ(fresh, 2);
}

TEST_F(AtTheDeployLevel, TheRoundTripsFailureIsNoPasss) {
  executor.round_trip = refused_there("trip");
  executor.passes["a"] = refused_there("x", "Bad node 'n9'");
  executor.passes["b"] = refused_there("y", "something else");
  options.each = {"a", "b"};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_EQ(report.faults[0].kind, FaultKind::control);
  EXPECT_EQ(report.faults[0].attribution, Attribution::runtime);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01"));
  EXPECT_THAT(variant(report, "a").deployed->message, HasSubstr("(as the round trip alone does)"));
  EXPECT_EQ(report.faults[1].kind, FaultKind::runtime);
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("b"));
}

TEST_F(AtTheDeployLevel, WrongValuesAreTheRoundTripsOnlyIfTheyAreTheSame) {
  executor.round_trip = wrong_there("trip", 0.5F);
  executor.passes["a"] = changes("x");  // keeps what the round trip does
  Behaviour there = breaks("", 0.5F);
  there.shift_z = 3;
  executor.passes["b"] = right_at_off("y", there);
  options.each = {"a", "b"};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01"));
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("b"));
}

TEST_F(AtTheDeployLevel, AFailureAtOffIsNotTheRoundTripsAtTheDeployLevel) {
  executor.round_trip = refused_there("trip");
  executor.recipes["a"] = changes("x");
  executor.recipes["a"].running = failure(Ending::threw, "Bad node 'n7'");
  executor.recipes["a"].stage = RunOutcome::Stage::load;
  options.each = {"a"};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("a"));
  EXPECT_EQ(report.faults[1].attribution, Attribution::optimizer);
}

TEST_F(AtTheDeployLevel, TheBundleIsExplainedByThePassThatFailsThere) {
  executor.passes["a"] = wrong_there("x");
  executor.passes["b"] = changes("y");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("a"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01", "V04"));
  EXPECT_EQ(report.faults[0].workaround, "skip a: the default pass list without it was verified on 3 samples");
  EXPECT_EQ(variant(report, "b,c").deployed->verdict, Verdict::equivalent) << "also where it is used";
}

TEST_F(AtTheDeployLevel, PassesMayFailThereOnlyTogether) {
  executor.passes["a"] = changes("x");
  executor.passes["b"] = changes("y");
  executor.recipes["a,b,c"] = refused_there("both");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, FaultKind::runtime);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("a", "b", "c"));
  EXPECT_THAT(report.faults[0].message,
              HasSubstr("fails together, though no part of it does: with ONNX Runtime's optimizations (all): "));
  ASSERT_TRUE(report.safe_recipe && report.safe_recipe->verified);
  EXPECT_THAT(report.safe_recipe->levels, ElementsAre("off", "all"));
}

TEST_F(AtTheDeployLevel, WhatFailsThereDoesNotAccountForAFailureAtOff) {
  executor.passes["a"] = wrong_there("x");
  executor.passes["b"] = changes("y");
  executor.recipes["a,b,c"] = breaks("both");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("a"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01"));
  EXPECT_EQ(report.faults[1].kind, FaultKind::interaction);
  EXPECT_EQ(report.faults[1].attribution, Attribution::optimizer);
  EXPECT_THAT(report.faults[1].message,
              HasSubstr("a then b then c: fails together, though no part of it does: output"));
}

TEST_F(AtTheDeployLevel, HalfAModelIsOnlyLoaded) {
  options.each = {"halves"};
  executor.passes["halves"] = refused_there("half");
  const ModelReport report = check();
  const Deployed& deployed = variant(report, "halves").deployed.value();
  EXPECT_EQ(deployed.samples, 0);
  EXPECT_THAT(report.faults.at(0).message, HasSubstr("; it loads at level off, and the original is right"));
  EXPECT_EQ(deployed.verdict, Verdict::rejected);
  EXPECT_EQ(deployed.confirmed, "2/2");
  for (const RunJob& job : executor.ran) {
    if (job.model.stem() == hash128("half").hex()) {
      EXPECT_THAT(job.samples, IsEmpty());
    }
  }
}

TEST_F(AtTheDeployLevel, WithinToleranceIsAFaultOnlyUnderStrict) {
  executor.passes["a"] = wrong_there("close", 1e-4F);
  executor.recipes["a,b,c"] = {};
  const ModelReport tolerant = check();
  EXPECT_EQ(variant(tolerant, "a").deployed->verdict, Verdict::deviates);
  EXPECT_THAT(tolerant.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(tolerant, true), 1);
  options.strict = true;
  EXPECT_THAT(check().faults, SizeIs(1));
}

TEST_F(AtTheDeployLevel, NothingIsJudgedBeforeBothTheRepeatAndTheOriginalAreThere) {
  executor.noise = 0.25F;  // does not repeat
  executor.passes["a"] = changes("new");
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    executor.shuffle = seed;
    EXPECT_EQ(check().baseline.status, BaselineStatus::nondeterministic);
    EXPECT_EQ(executor.runs_of("new"), 0U);
  }
}

TEST_F(AtTheDeployLevel, TheOrderOfOutcomesDoesNotMatter) {
  executor.round_trip = wrong_there("trip", 0.5F);
  executor.passes["a"] = changes("x");
  executor.passes["b"] = refused_there("y");
  executor.passes["c"] = changes("x");
  const auto told = [&] {
    const ModelReport report = check();
    std::string text;
    for (const ControlRecord& record : report.controls)
      text += std::string(name_of(record.name)) + record.message + "\n";
    for (const VariantRecord& record : report.variants)
      text += record.id + same_as_text(record) + record.deployed.value().message + record.deployed->confirmed + "\n";
    for (const FaultRecord& fault : report.faults) text += fault.message + join(fault.variants, ",") + "\n";
    return text;
  };
  const std::string expected = told();
  EXPECT_THAT(expected, HasSubstr("round_trip: with ONNX Runtime's optimizations (all)"));
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    executor.shuffle = seed;
    EXPECT_EQ(told(), expected) << "seed " << seed;
  }
}

TEST_F(AtTheDeployLevel, NothingIsLeftBehind) {
  executor.passes["a"] = wrong_there("x");
  check();
  for (const char* name : {"outputs", "reference", "samples"}) EXPECT_FALSE(fs::exists(folder() / name)) << name;
}

}  // namespace
}  // namespace culprit
