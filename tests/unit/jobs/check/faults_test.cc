#include "bench.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

using Faults = Bench;

TEST_F(Faults, ASinglePassIsBlamedInOneClearLine) {
  executor.passes["b"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  const FaultRecord& fault = report.faults[0];
  EXPECT_EQ(fault.id, "F1");
  EXPECT_EQ(fault.kind, FaultKind::single);
  EXPECT_EQ(fault.verdict, Verdict::diverged);
  EXPECT_EQ(fault.attribution, Attribution::optimizer);
  EXPECT_THAT(fault.culprits, ElementsAre("b"));
  EXPECT_EQ(fault.signature, "diverged | b | BatchNormalization ->  | ");
  EXPECT_THAT(fault.message, HasSubstr("b: output 'y' differs by 0.5 (tolerance "));
  EXPECT_THAT(fault.message, HasSubstr("on 3 of 3 samples"));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(Faults, TheBundlesFailureIsExplainedByASingleAndAVerifiedRest) {
  executor.passes["a"] = changes("better");
  executor.passes["b"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V02", "V04"));
  EXPECT_EQ(report.faults[0].workaround, "skip b: the default pass list without it was verified on 3 samples");
  const VariantRecord& rest = variant(report, "a,c");
  EXPECT_EQ(rest.id, "V05");
  EXPECT_EQ(rest.message, "the default pass list without b");
  EXPECT_EQ(rest.verdict, Verdict::equivalent);
  EXPECT_EQ(rest.same_variant, "V01") << "known already, so not run again";
}

TEST_F(Faults, ARestThatChangesNothingIsSaidSo) {
  executor.passes["b"] = breaks("wrong");
  EXPECT_EQ(check().faults[0].workaround, "skip b: the default pass list without it leaves the model as it is");
}

TEST_F(Faults, NoWorkaroundIsPromisedThatWasNotVerified) {
  executor.passes["a"] = changes("better");
  executor.passes["b"] = breaks("wrong");
  executor.recipes["a,c"] = changes("unlucky");
  executor.recipes["a,c"].running = failure(Ending::crashed, "killed by SIGSEGV");
  executor.recipes["a,c"].bad_runs = 1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a,c").verdict, Verdict::inconclusive);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].workaround, "");
}

TEST_F(Faults, APassThatFailsAloneAndNotInTheBundleHasNoWorkaround) {
  executor.passes["b"] = breaks("wrong");
  executor.recipes["a,b,c"] = changes("fine");
  const ModelReport report = check();
  EXPECT_THAT(report.faults.at(0).variants, ElementsAre("V02"));
  EXPECT_EQ(report.faults[0].workaround, "");
  EXPECT_THAT(report.faults[0].message, HasSubstr("; the default pass list is not affected"));
  EXPECT_THAT(report.variants, SizeIs(4)) << "there is nothing to explain";
  EXPECT_TRUE(report.safe_recipe->verified);
  EXPECT_THAT(report.safe_recipe->left_out, IsEmpty());
}

TEST_F(Faults, SeveralSinglesAreSeveralFaultsAndOneRest) {
  executor.passes["a"] = breaks("wrong a");
  executor.passes["b"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.passes["c"] = changes("better");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01"));
  EXPECT_THAT(report.faults[1].variants, ElementsAre("V02", "V04")) << "the default pass list dies as b does";
  EXPECT_EQ(report.faults[1].workaround, "skip a and b: the default pass list without them was verified on 3 samples");
  EXPECT_EQ(variant(report, "c").message, "");
  EXPECT_THAT(report.variants, SizeIs(4)) << "the default pass list without a and b is c alone";
}

TEST_F(Faults, ABundleThatFailsWhereNoSingleDoesIsAnInteraction) {
  executor.passes["a"] = changes("new a");
  executor.passes["c"] = changes("new c");
  executor.recipes["a,b,c"] = executor.recipes["a,c"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  const FaultRecord& fault = report.faults[0];
  EXPECT_EQ(fault.kind, FaultKind::interaction);
  EXPECT_THAT(fault.culprits, ElementsAre("a", "c"));
  EXPECT_THAT(fault.variants, ElementsAre("V04", "V05"));
  EXPECT_THAT(fault.message, HasSubstr("a then c: fails together, though neither does alone (nor does the reverse "
                                       "order): output 'y' differs"));
  EXPECT_EQ(fault.signature, "diverged | a,c | BatchNormalization ->  | ");
  EXPECT_EQ(fault.workaround, "skip a: the default pass list without it was verified on 3 samples");
  const VariantRecord& minimal = variant(report, "a,c");
  EXPECT_EQ(minimal.id, "V05");
  EXPECT_THAT(minimal.message, HasSubstr("the smallest part of the default pass list that fails: output 'y'"));
  EXPECT_EQ(minimal.confirmed, "2/2");
}

TEST_F(Faults, TwoInteractionsWithACommonPassAreTwoFaults) {
  for (const char* pass : {"a", "b", "c"}) executor.passes[pass] = changes(std::string("new ") + pass);
  executor.recipes["a,b,c"] = executor.recipes["a,b"] = executor.recipes["a,c"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  std::vector<std::string> culprits;
  for (const FaultRecord& fault : report.faults) {
    EXPECT_EQ(fault.kind, FaultKind::interaction);
    EXPECT_EQ(fault.workaround, "skip a: the default pass list without it was verified on 3 samples");
    culprits.push_back(join(fault.culprits, ","));
    EXPECT_EQ(variant(report, culprits.back()).confirmed, "2/2");
  }
  EXPECT_THAT(culprits, testing::UnorderedElementsAre("a,b", "a,c"));
  EXPECT_THAT(report.safe_recipe->recipe.passes, ElementsAre("b", "c"));
}

TEST_F(Faults, WhatWasTriedOnTheWayIsNotReported) {
  executor.passes["a"] = changes("new a");
  executor.recipes["a,b,c"] = executor.recipes["a,c"] = breaks("wrong");
  const ModelReport report = check();
  std::vector<std::string> recipes;
  for (const VariantRecord& record : report.variants) recipes.push_back(join(record.recipe.passes, ","));
  EXPECT_THAT(recipes, ElementsAre("a", "b", "c", "a,b,c", "b,c", "a,c"));
  EXPECT_EQ(variant(report, "b,c").message, "the safe list, the default pass list without a");
}

TEST_F(Faults, BothOrdersOfAPairThatFails) {
  executor.recipes["a,b,c"] = executor.recipes["a,c"] = executor.recipes["c,a"] = breaks("wrong");
  EXPECT_THAT(check().faults.at(0).message, HasSubstr("a and c: fail together in either order, though neither does"));
}

TEST_F(Faults, AnInteractionOfAllNamesAll) {
  executor.recipes["a,b,c"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_THAT(report.faults.at(0).culprits, ElementsAre("a", "b", "c"));
  EXPECT_THAT(report.faults[0].message, HasSubstr("a then b then c: fails together, though no part of it does: "));
}

TEST_F(Faults, ARestThatStillFailsIsAnInteractionBesideTheSingle) {
  executor.passes["a"] = changes("new a");
  executor.passes["b"] = breaks("wrong b");
  executor.passes["c"] = changes("new c");
  executor.recipes["a,c"] = breaks("wrong a and c", 3);
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(2));
  EXPECT_EQ(report.faults[0].kind, FaultKind::single);
  EXPECT_EQ(report.faults[0].workaround, "skip a and b: the default pass list without them was verified on 3 samples");
  EXPECT_EQ(report.faults[1].kind, FaultKind::interaction);
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("a", "c"));
  EXPECT_THAT(report.faults[1].variants, ElementsAre("V04", "V05"));
  EXPECT_EQ(variant(report, "a,c").message.substr(0, 31), "the default pass list without b");
}

TEST_F(Faults, ASearchThatWasCutShortIsSaid) {
  options.most_trials = 2;
  executor.recipes["a,b,c"] = executor.recipes["a,c"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_THAT(report.faults.at(0).message,
              HasSubstr("at most these fail together (the search for fewer was cut short)"));
  EXPECT_FALSE(report.safe_recipe->verified);
  EXPECT_THAT(report.safe_recipe->message, HasSubstr("cut short after 2 pass lists"));
}

TEST_F(Faults, ARecipeOfOnePassIsASingle) {
  options.recipe = {"b"};
  executor.passes["b"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(report.faults.at(0).kind, FaultKind::single);
  EXPECT_THAT(report.variants, SizeIs(1));
}

TEST_F(Faults, PassesOfAFailingRecipeAreTriedAlone) {
  options.recipe = {"c", "b"};
  executor.passes["b"] = breaks("wrong");
  executor.passes["c"] = changes("better");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("b"));
  EXPECT_THAT(variant(report, "b").message, HasSubstr("alone, because the whole list fails: output 'y'"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01", "V03"));
  EXPECT_EQ(report.faults[0].workaround, "skip b: the pass list without it was verified on 3 samples");
}

TEST_F(Faults, PassesOfAGoodRecipeAreNot) {
  options.recipe = {"c", "b"};
  executor.passes["c"] = changes("better");
  EXPECT_THAT(check().variants, SizeIs(1));
}

TEST_F(Faults, TheSameFailureOfTheSamePassIsOneFault) {
  options.each = {"a", "a"};
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01", "V02"));
}

TEST_F(Faults, TheRoundTripsDivergenceIsItsOwnAndNoPassIsBlamed) {
  executor.round_trip = breaks("trip");
  executor.passes["a"] = changes("new");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].kind, FaultKind::control);
  EXPECT_EQ(report.faults[0].control, ControlName::round_trip);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01", "V04")) << "they differ as the round trip does";
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged) << "the verdict is against the reference";
  EXPECT_THAT(variant(report, "a").message, HasSubstr("as the round trip alone does"));
  EXPECT_EQ(variant(report, "b").verdict, Verdict::unchanged);
  EXPECT_EQ(control(report, "round_trip").verdict, Verdict::diverged);
  EXPECT_THAT(control(report, "round_trip").message, HasSubstr("confirmed 2/2"));
}

TEST_F(Faults, MoreThanTheRoundTripDoesWrongIsThePassesOwn) {
  executor.round_trip = breaks("trip");
  executor.passes["a"] = breaks("more of y", 5);
  executor.passes["b"] = changes("also z");
  executor.passes["b"].shift_z = 5;
  const ModelReport report = check();
  ASSERT_GE(report.faults.size(), 3U);
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("a"));
  EXPECT_THAT(report.faults[2].culprits, ElementsAre("b"));
}

TEST_F(Faults, FailuresOfTheRoundTripAreToldFromOthersByTheirWords) {
  executor.round_trip = changes("trip");
  executor.round_trip.running = failure(Ending::threw, "Node 'n1' has 3 inputs");
  executor.round_trip.stage = RunOutcome::Stage::load;
  executor.recipes["a"] = changes("new a");
  executor.recipes["a"].running = failure(Ending::threw, "Node 'n7' has 5 inputs");
  executor.recipes["b"].making = failure(Ending::crashed, "killed by SIGSEGV");
  executor.recipes["c"] = changes("new c");
  executor.recipes["c"].complaint = "output 'y' is not unique";
  options.each = {"a", "b", "c"};
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(3));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
  EXPECT_EQ(report.faults[0].verdict, Verdict::rejected);
  EXPECT_THAT(report.faults[0].variants, ElementsAre("V01"));
  EXPECT_THAT(report.faults[1].culprits, ElementsAre("b"));
  EXPECT_THAT(report.faults[2].culprits, ElementsAre("c")) << "rejected as well, for another reason";
}

TEST_F(Faults, ARoundTripThatCannotBeMadeIsOneFault) {
  executor.round_trip.making = failure(Ending::threw, "cannot export");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_EQ(report.faults[0].verdict, Verdict::optimizer_crashed);
  EXPECT_THAT(report.faults[0].variants, SizeIs(4));
}

TEST_F(Faults, WarningsOfTheRoundTripAreSaidOnceAndOnNoPass) {
  executor.round_trip = changes("trip");
  executor.round_trip.warnings = {{"constants_became_inputs", "2 of them"}, {"unused_initializer", "1: w"}};
  executor.passes["a"] = changes("new");
  executor.passes["a"].warnings = {
      {"constants_became_inputs", "1 of them"}, {"unused_initializer", "2: w, v"}, {"dead_node", "n"}};
  const ModelReport report = check();
  EXPECT_THAT(codes(report.warnings), ElementsAre("constants_became_inputs", "unused_initializer"));
  const auto& warnings = variant(report, "a").warnings;
  EXPECT_THAT(codes(warnings), ElementsAre("unused_initializer", "dead_node")) << "what it left after itself";
  EXPECT_EQ(warnings[0].message, "2: w, v");
  EXPECT_THAT(variant(report, "b").warnings, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0) << "warnings are no faults";
}

TEST(ExitCode, FaultsComeBeforeABaselineThatCannotBeJudged) {
  ModelReport report;
  EXPECT_EQ(exit_code_of(report, false), 0);
  report.baseline.status = BaselineStatus::weak_data;
  EXPECT_EQ(exit_code_of(report, false), 3);
  report.faults.emplace_back();
  EXPECT_EQ(exit_code_of(report, false), 1);
  ModelReport unreadable;
  unreadable.error = "not protobuf";
  EXPECT_EQ(exit_code_of(unreadable, false), 3);
}

TEST(ExitCode, OfSeveralTheWorst) {
  EXPECT_EQ(worst_exit_code({}), 0);
  EXPECT_EQ(worst_exit_code({0, 2, 3}), 3);
  EXPECT_EQ(worst_exit_code({0, 3, 1}), 1);
  EXPECT_EQ(worst_exit_code({1, 4, 3}), 4);
  EXPECT_EQ(worst_exit_code({4, 130}), 130);
  EXPECT_EQ(worst_exit_code({0, 2}), 2);
}

TEST_F(Faults, TheSummaryAddsUp) {
  executor.passes["a"] = breaks("wrong");
  executor.passes["b"] = breaks("wrong");
  executor.passes["c"].making = failure(Ending::timed_out, "");
  const ModelReport report = check();
  const Summary summary = summarize({report, report}, {1, 2, 3, 4}, 1.5, false);
  EXPECT_EQ(summary.models, 2);
  EXPECT_EQ(summary.variants, 2 * static_cast<std::int64_t>(report.variants.size()));
  EXPECT_EQ(summary.distinct_variants, 2) << "one each: shared and unmade ones do not count";
  EXPECT_EQ(summary.faults, 2 * static_cast<std::int64_t>(report.faults.size()));
  EXPECT_EQ(summary.by_verdict.at(Verdict::diverged), 4);
  EXPECT_EQ(summary.counts.runs, 3);
  EXPECT_EQ(summary.seconds, 1.5);
}

TEST_F(Faults, WhatMakesExitCodeOneCanBeChosen) {
  ModelReport weak;
  weak.baseline.status = BaselineStatus::weak_data;
  EXPECT_EQ(exit_code_of(weak, false), 3);
  EXPECT_EQ(exit_code_of(weak, false, FailOn::weak), 1);
  EXPECT_EQ(exit_code_of(weak, false, FailOn::any), 1);
  ModelReport lost;
  lost.baseline.status = BaselineStatus::does_not_run;
  EXPECT_EQ(exit_code_of(lost, false, FailOn::weak), 3) << "that is not the inputs' fault";
  EXPECT_EQ(exit_code_of(lost, false, FailOn::any), 1);
  ModelReport near;
  near.variants.emplace_back();
  near.variants[0].verdict = Verdict::deviates;
  EXPECT_EQ(exit_code_of(near, false, FailOn::weak), 0);
  EXPECT_EQ(exit_code_of(near, false, FailOn::any), 1);
  near.variants[0].verdict = Verdict::equivalent;
  EXPECT_EQ(exit_code_of(near, false, FailOn::any), 0);
}

}  // namespace
}  // namespace culprit
