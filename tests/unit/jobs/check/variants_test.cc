#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Variants = Bench;

TEST_F(Variants, OneImportMakesTheRoundTripFirstAndThenThePlan) {
  check();
  ASSERT_THAT(executor.optimized, SizeIs(2)) << "and another one the control optimizer_repeat";
  const auto& recipes = executor.optimized[0].recipes;
  ASSERT_THAT(recipes, SizeIs(5));
  EXPECT_THAT(recipes[0].passes, IsEmpty());
  EXPECT_THAT(recipes[4].passes, ElementsAre("a", "b", "c"));
  EXPECT_EQ(executor.optimized[0].folder, folder() / "variants");
}

TEST_F(Variants, IdsFollowThePlan) {
  const ModelReport report = check();
  ASSERT_THAT(report.variants, SizeIs(4));
  EXPECT_EQ(report.variants[0].id, "V01");
  EXPECT_EQ(report.variants[3].id, "V04");
  EXPECT_TRUE(report.variants[3].is_bundle);
}

TEST_F(Variants, WhatMeansTheSameAsTheOriginalIsUnchangedAndNotRun) {
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::unchanged);
  EXPECT_EQ(same_as_text(variant(report, "a")), "original");
  EXPECT_THAT(executor.ran, SizeIs(2)) << "the reference and its repetition";
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::unchanged);
}

TEST_F(Variants, WhatMeansTheSameAsTheRoundTripIsUnchanged) {
  executor.round_trip = changes("trip");
  executor.passes["b"].skipped = true;
  const ModelReport report = check();
  EXPECT_EQ(same_as_text(variant(report, "a")), "round_trip");
  EXPECT_EQ(variant(report, "a").verdict, Verdict::unchanged);
  EXPECT_EQ(same_as_text(variant(report, "b")), "round_trip") << "its passes match no node";
  EXPECT_EQ(variant(report, "b").fingerprint, hash128("trip").hex());
  EXPECT_EQ(executor.runs_of("trip"), 1U);
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::equivalent);
}

TEST_F(Variants, OneFingerprintIsRunOnce) {
  executor.passes["a"] = changes("new");
  executor.passes["c"] = changes("new");
  executor.recipes["a,b,c"] = changes("new");
  const ModelReport report = check();
  EXPECT_EQ(executor.runs_of("new"), 1U);
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_EQ(same_as_text(variant(report, "a")), "");
  EXPECT_EQ(same_as_text(variant(report, "c")), "V01");
  EXPECT_EQ(variant(report, "c").verdict, Verdict::equivalent);
  EXPECT_EQ(same_as_text(variant(report, "a,b,c")), "V01");
}

TEST_F(Variants, ARecordIsComplete) {
  executor.passes["a"] = breaks("wrong", 0.5F);
  executor.recipes["a,b,c"] = {};
  const VariantRecord record = variant(check(), "a");
  EXPECT_EQ(record.runtime, "1.31.1");
  EXPECT_EQ(record.fingerprint, hash128("wrong").hex());
  EXPECT_EQ(record.file, "variants/" + hash128("wrong").hex() + ".onnx");
  EXPECT_EQ(record.nodes_before, 12);
  EXPECT_EQ(record.nodes, 10);
  EXPECT_EQ(record.ops_changed.at("BatchNormalization"), -1);
  EXPECT_EQ(record.seconds_optimize, 0.5);
  EXPECT_EQ(record.seconds_run, 0.25);
  EXPECT_NEAR(record.measurements.at("y").max_abs, 0.5, 1e-6);
  EXPECT_EQ(record.measurements.at("y").elements, 6) << "two of each of three samples";
  EXPECT_EQ(record.measurements.at("z").max_abs, 0);
  EXPECT_THAT(record.message, HasSubstr("output 'y' differs by 0.5 (tolerance "));
  EXPECT_THAT(record.message, HasSubstr("on 3 of 3 samples"));
}

TEST_F(Variants, WithinToleranceDeviatesAndIsAFaultOnlyUnderStrict) {
  executor.passes["a"] = breaks("close", 1e-4F);
  const ModelReport tolerant = check();
  EXPECT_EQ(variant(tolerant, "a").verdict, Verdict::deviates);
  EXPECT_THAT(tolerant.faults, IsEmpty());
  EXPECT_EQ(exit_code_of(tolerant, false), 0);
  EXPECT_EQ(exit_code_of(tolerant, true), 1);
  options.strict = true;
  const ModelReport strict = check();
  ASSERT_THAT(strict.faults, SizeIs(1));
  EXPECT_EQ(strict.faults[0].verdict, Verdict::deviates);
  EXPECT_EQ(variant(strict, "a").confirmed, "2/2");
}

TEST_F(Variants, FailuresGetTheirVerdicts) {
  const auto verdict_of = [&](const Behaviour& behaviour) {
    executor.passes["a"] = behaviour;
    executor.recipes["a,b,c"] = {};
    return variant(check(), "a").verdict;
  };
  Behaviour making;
  making.making = failure(Ending::threw, "assertion failed");
  EXPECT_EQ(verdict_of(making), Verdict::optimizer_crashed);
  making.making = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(verdict_of(making), Verdict::optimizer_crashed);
  making.making = failure(Ending::exited, "ended with exit status 0");
  EXPECT_EQ(verdict_of(making), Verdict::optimizer_crashed);
  making.making = failure(Ending::timed_out, "");
  EXPECT_EQ(verdict_of(making), Verdict::timed_out);
  making.making = failure(Ending::out_of_memory, "");
  EXPECT_EQ(verdict_of(making), Verdict::out_of_memory);
  Behaviour running = changes("x");
  running.running = failure(Ending::threw, "no kernel");
  running.stage = RunOutcome::Stage::load;
  EXPECT_EQ(verdict_of(running), Verdict::rejected);
  running.running = failure(Ending::crashed, "killed by SIGSEGV");
  EXPECT_EQ(verdict_of(running), Verdict::run_failed) << "it kills the runtime";
  running.stage = RunOutcome::Stage::run;
  EXPECT_EQ(verdict_of(running), Verdict::run_failed);
  running.running = failure(Ending::threw, "wrong shape");
  EXPECT_EQ(verdict_of(running), Verdict::run_failed);
  running.running = failure(Ending::timed_out, "");
  EXPECT_EQ(verdict_of(running), Verdict::timed_out);
  running.running = failure(Ending::out_of_memory, "");
  EXPECT_EQ(verdict_of(running), Verdict::out_of_memory);
  Behaviour reshaping = changes("x");
  reshaping.reshapes = true;
  EXPECT_EQ(verdict_of(reshaping), Verdict::diverged);
  Behaviour retyped = changes("x");
  retyped.interface = FakeExecutor::interface();
  retyped.interface->outputs.pop_back();
  EXPECT_EQ(verdict_of(retyped), Verdict::interface_changed);
}

TEST_F(Variants, AVariantThatCouldNotBeMadeHasNoFingerprintAndItsLastWords) {
  executor.passes["a"].making = failure(Ending::crashed, "killed by SIGABRT", "assertion uses().empty()");
  const ModelReport report = check();
  const VariantRecord& record = variant(report, "a");
  EXPECT_EQ(record.fingerprint, "");
  EXPECT_EQ(record.nodes, 0);
  EXPECT_EQ(record.last_words, "assertion uses().empty()");
  EXPECT_EQ(record.message, "the optimizer died: killed by SIGABRT");
}

TEST_F(Variants, AComplaintThatTheOriginalDrawsTooIsNoRejection) {
  executor.original_complaint = "node 'n1' has 3 inputs";
  executor.passes["a"] = changes("same complaint");
  executor.passes["a"].complaint = "node 'n2' has 5 inputs";
  executor.passes["b"] = changes("new complaint");
  executor.passes["b"].complaint = "output 'y' is not unique";
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_EQ(variant(report, "b").verdict, Verdict::rejected);
  EXPECT_THAT(variant(report, "b").message, HasSubstr("the checker refuses it: output 'y' is not unique"));
  EXPECT_EQ(executor.runs_of("new complaint"), 0U);
}

TEST_F(Variants, ARuntimeThatLiesOrCannotStartIsNotTheVariantsFault) {
  executor.passes["a"] = changes("x");
  executor.passes["a"].hides = true;
  executor.passes["b"] = changes("w");
  executor.passes["b"].running = failure(Ending::exited, "no library");
  executor.passes["b"].stage = RunOutcome::Stage::start;
  executor.passes["c"].making = failure(Ending::crashed, "fork: no more processes");
  executor.passes["c"].making.machine = true;
  executor.recipes["a,b,c"] = {};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_EQ(variant(report, "b").verdict, Verdict::inconclusive);
  EXPECT_EQ(variant(report, "c").verdict, Verdict::inconclusive);
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(Variants, AnInterfacePassMayRenameAndCast) {
  options.each = {"renames"};
  Interface renamed = FakeExecutor::interface();
  renamed.inputs[0].name = "in_0";
  renamed.outputs[0].name = "out_0";
  renamed.outputs[0].dtype = DType::f64;
  executor.passes["renames"] = changes("renamed");
  executor.passes["renames"].interface = renamed;
  executor.passes["renames"].casts = true;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "renames").verdict, Verdict::equivalent) << variant(report, "renames").message;
  EXPECT_EQ(executor.ran.back().inputs.at(0).variant, "in_0");
  options.each = {"a"};
  executor.passes["a"] = executor.passes["renames"];
  EXPECT_EQ(variant(check(), "a").verdict, Verdict::interface_changed) << "another pass may not";
}

TEST_F(Variants, AnInterfacePassMayReorderOutputs) {
  options.each = {"renames"};
  Interface reordered = FakeExecutor::interface();
  std::swap(reordered.outputs[0], reordered.outputs[1]);
  executor.passes["renames"] = changes("reordered");
  executor.passes["renames"].interface = reordered;
  executor.passes["renames"].swaps = true;
  const ModelReport right = check();
  EXPECT_EQ(variant(right, "renames").verdict, Verdict::equivalent) << variant(right, "renames").message;
  executor.passes["renames"].shift_y = 0.5F;
  const ModelReport wrong = check();
  EXPECT_EQ(variant(wrong, "renames").verdict, Verdict::diverged);
  EXPECT_GT(variant(wrong, "renames").measurements.at("y").beyond_tolerance, 0);
  EXPECT_EQ(variant(wrong, "renames").measurements.at("z").beyond_tolerance, 0);
  options.each = {"a"};
  executor.passes["a"] = executor.passes["renames"];
  EXPECT_EQ(variant(check(), "a").verdict, Verdict::interface_changed) << "another pass may not";
}

TEST_F(Variants, HalfAModelOnlyHasToLoad) {
  options.each = {"halves"};
  executor.passes["halves"] = changes("half");
  executor.passes["halves"].interface = Interface{};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "halves").verdict, Verdict::equivalent);
  EXPECT_EQ(variant(report, "halves").contract, Contract::partition);
  EXPECT_THAT(executor.ran.back().samples, IsEmpty());
  executor.passes["halves"].running = failure(Ending::threw, "invalid graph");
  executor.passes["halves"].stage = RunOutcome::Stage::load;
  const ModelReport broken = check();
  EXPECT_EQ(variant(broken, "halves").verdict, Verdict::rejected);
  EXPECT_EQ(variant(broken, "halves").confirmed, "2/2");
}

TEST_F(Variants, OneFingerprintUnderTwoContractsIsJudgedTwice) {
  options.each = {"a", "halves"};
  executor.passes["a"] = changes("half");
  executor.passes["a"].shift_y = 1;
  executor.passes["halves"] = executor.passes["a"];
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_EQ(variant(report, "halves").verdict, Verdict::equivalent);
  EXPECT_EQ(same_as_text(variant(report, "halves")), "");
}

TEST_F(Variants, OutputsAreRemovedWhenJudgedAndAllAtTheEnd) {
  for (PassInfo& pass : passes) executor.passes[pass.name] = changes("new " + pass.name);
  executor.passes["a"].shift_y = 1;
  options.all_passes = true;
  check();
  EXPECT_LE(executor.most_output_folders, 7U) << "the runs that are under way";
  for (const char* name : {"samples", "reference", "outputs"}) EXPECT_FALSE(fs::exists(folder() / name)) << name;
  EXPECT_TRUE(fs::exists(folder() / "variants"));
}

TEST_F(Variants, ProgressEndsWithAllDone) {
  std::vector<std::size_t> seen;
  std::size_t last_total = 0;
  progress = [&](std::size_t done, std::size_t total, const std::string&) {
    seen.push_back(done);
    last_total = total;
  };
  executor.passes["a"] = changes("new");
  check();
  EXPECT_TRUE(std::ranges::is_sorted(seen));
  EXPECT_EQ(seen.back(), 5U);
  EXPECT_EQ(last_total, 5U);
}

TEST_F(Variants, TheOrderOfArrivalDoesNotChangeTheReport) {
  executor.round_trip = changes("trip");
  executor.round_trip.warnings = {{"metadata_lost", "of the model"}};
  executor.passes["a"] = changes("new");
  executor.passes["b"] = breaks("wrong");
  executor.passes["c"] = breaks("wrong");
  executor.passes["outside"] = changes("new");
  executor.passes["renames"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.passes["halves"] = changes("refused");
  executor.passes["halves"].complaint = "invalid";
  for (const char* name : {"idle", "p", "q"}) passes.push_back({name, "other", Contract::equivalent, false, false, ""});
  executor.passes["p"] = changes("refused too");
  executor.passes["p"].complaint = "node 'p' is invalid";
  executor.passes["q"] = executor.passes["p"];
  executor.passes["q"].complaint = "node 'q' is invalid";
  options.all_passes = true;
  const auto told = [&](std::uint64_t seed) {
    FakeExecutor fresh;
    fresh.round_trip = executor.round_trip;
    fresh.passes = executor.passes;
    fresh.shuffle = seed;
    const ModelReport report = check_model(model, proposals, options, {fresh, optimizer, folder(), {}}).value();
    std::string text;
    for (const auto& v : report.variants) {
      text += v.id + " " + join(v.recipe.passes, ",") + " " + std::string(name_of(v.verdict)) + " " + same_as_text(v) +
              " " + v.message + " " + v.confirmed + " " + v.fingerprint + " " + v.file + " " +
              join(codes(v.warnings), ",") + "\n";
    }
    for (const auto& f : report.faults) {
      text += f.id + " " + f.signature + " " + join(f.culprits, ",") + " " + join(f.variants, ",") + " " + f.message +
              " " + f.workaround + "\n";
    }
    for (const auto& c : report.controls)
      text += std::string(name_of(c.name)) + " " + std::string(name_of(c.verdict)) + "\n";
    return text + join(codes(report.warnings), ",");
  };
  const std::string expected = told(0);
  EXPECT_THAT(expected, HasSubstr("V04 outside equivalent V01"));
  EXPECT_THAT(expected, HasSubstr("V03 c diverged V02"));
  for (std::uint64_t seed = 1; seed <= 60; ++seed) ASSERT_EQ(told(seed), expected) << "seed " << seed;
}

TEST_F(Variants, AnInterruptionIsAnErrorAtAnyTime) {
  executor.passes["a"] = breaks("wrong");
  for (int outcomes = 0; outcomes < 12; ++outcomes) {
    FakeExecutor fresh;
    fresh.passes = executor.passes;
    fresh.interrupt_after = outcomes;
    const auto report = check_model(model, proposals, options, {fresh, optimizer, folder(), {}});
    ASSERT_FALSE(report) << outcomes;
    EXPECT_EQ(report.error().kind, ErrorKind::interrupted);
    EXPECT_FALSE(fs::exists(folder() / "samples")) << "nothing is left behind";
  }
}

TEST_F(Variants, AnExecutorThatEndsEarlyIsAnErrorNotAHang) {
  executor.end_after = 3;
  const auto report = try_check();
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().kind, ErrorKind::internal);
  EXPECT_THAT(report.error().message, HasSubstr("unanswered"));
}

}  // namespace
}  // namespace culprit
