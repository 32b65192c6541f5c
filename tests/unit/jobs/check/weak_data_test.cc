// Weak data: outputs that say nothing, samples that are drawn again, values inside the graph.
#include "trial/weak_data.h"

#include <gmock/gmock.h>
#include <onnx/onnx_pb.h>

#include "bench.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class WeakData : public Bench {
 protected:
  WeakData() {
    executor.deaf = 10;  // and the samples are smaller
    const auto proto =
        parse_model(R"(<ir_version: 8, opset_import: ["" : 17]> g (float[2] x) => (float[2] y, float[2] z)
                                      { i = Relu(x) j = Exp(i) y = Add(i, j) z = Neg(j) })");
    model.proto = std::make_shared<onnx::ModelProto>(proto);
    executor.graph = proto.SerializeAsString();
  }

  /// The samples can be drawn again: these are their first values, way by way.
  void redraws(const std::vector<float>& firsts) {
    proposals[0].redraws = firsts.size();
    proposals[0].redraw = [this, firsts](std::size_t way) -> Result<Proposal> {
      asked.push_back(way);
      if (firsts.at(way) < 0) return fail(ErrorKind::unsupported, "too large");
      return proposal("way " + std::to_string(way), {firsts[way], firsts[way] + 1});
    };
  }

  /// Runs of models with values exposed.
  [[nodiscard]] std::size_t exposed_runs() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        executor.ran, [](const RunJob& job) { return job.model.parent_path().filename() == "inner"; }));
  }

  /// A pass whose wrong values no output shows.
  static Behaviour breaks_inside() {
    Behaviour behaviour = changes("wrong inside");
    behaviour.shift_inner = 0.5F;
    return behaviour;
  }

  std::vector<std::size_t> asked;
};

TEST_F(WeakData, OutputsThatSayNothingCannotJudge) {
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::weak_data);
  EXPECT_THAT(report.baseline.weak, ElementsAre(WeakOutput{"y", "0 in all elements of all samples"},
                                                WeakOutput{"z", "0 in all elements of all samples"}));
  EXPECT_EQ(report.baseline.message,
            "its outputs say nothing about its values: 'y' is 0 in all elements of all samples, 'z' is 0 in all "
            "elements of all samples; give it real data with --data FOLDER or --input x=FILE.npy");
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(WeakData, SamplesAreDrawnAgainUntilAnOutputSaysSomething) {
  redraws({4, 20, 30});
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_THAT(asked, ElementsAre(0, 1));
  EXPECT_EQ(report.data.samples, 2) << "the data that were taken";
  ASSERT_THAT(codes(report.warnings), Contains("samples_redrawn"));
  EXPECT_THAT(report.warnings.back().message, HasSubstr("these were drawn instead: way 1"));
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(WeakData, VariantsAreJudgedOnTheSamplesThatWereDrawnLast) {
  redraws({20});
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_EQ(executor.ran.at(1).samples, executor.ran.back().samples);
  EXPECT_NE(executor.ran.at(0).samples, executor.ran.back().samples);
}

TEST_F(WeakData, AtMostFourRedrawsThatRun) {
  executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
    stage = RunOutcome::Stage::run;
    return read_pack(job.samples.at(0)).value()[0].value.number(0) == 5 ? failure(Ending::threw, "no") : Failure{};
  };
  redraws({-1, 5, 1, 2, 3, 4, 20});
  const ModelReport report = check();
  EXPECT_THAT(asked, ElementsAre(0, 1, 2, 3, 4, 5)) << "what cannot be drawn or run is not counted";
  EXPECT_EQ(report.baseline.status, BaselineStatus::weak_data);
  EXPECT_THAT(report.baseline.message, HasSubstr(", also with 4 other draws; "));
  EXPECT_EQ(report.data.samples, 3) << "the first samples stay";
  EXPECT_EQ(executor.ran.back().samples.size(), 3U);
}

TEST_F(WeakData, GivenSamplesAreNeverReplaced) {
  proposals[0].facts.source = DataSource::test_data_set;
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::weak_data);
  EXPECT_THAT(report.baseline.message, HasSubstr("; give it other data with --data FOLDER or --input x=FILE.npy"));
}

TEST_F(WeakData, TellingSamplesAreNotDrawnAgain) {
  executor.deaf = 0;
  redraws({20});
  EXPECT_EQ(check().baseline.status, BaselineStatus::ok);
  EXPECT_THAT(asked, IsEmpty());
}

TEST_F(WeakData, OneWeakOutputBesideOthersIsAWarning) {
  executor.deaf = 0;
  executor.mute = true;
  redraws({20});
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
  EXPECT_THAT(report.baseline.weak, SizeIs(1));
  EXPECT_THAT(
      report.warnings,
      ElementsAre(Warning{
          "weak_output",
          "'z' is 0 in all elements of all samples, and so says nothing about a model that is held against this one"}));
  EXPECT_THAT(asked, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 0);
}

TEST_F(WeakData, ManyWeakOutputsAreNamedInOneWarning) {
  const std::vector<WeakOutput> weak(5, {"y", "empty in all samples"});
  EXPECT_EQ(weak_output_warning(weak).message,
            "'y' is empty in all samples, 'y' is empty in all samples, 'y' is empty in all samples and 2 more, and so "
            "say nothing about a model that is held against this one");
}

TEST_F(WeakData, FaultsOfStructureAreFoundAllTheSame) {
  executor.passes["a"] = changes("refused");
  executor.passes["a"].running = failure(Ending::threw, "bad node");
  executor.passes["a"].stage = RunOutcome::Stage::load;
  executor.passes["b"].making = failure(Ending::crashed, "killed by SIGSEGV");
  const ModelReport report = check();
  EXPECT_EQ(report.baseline.status, BaselineStatus::weak_data);
  EXPECT_EQ(variant(report, "a").verdict, Verdict::rejected);
  EXPECT_EQ(variant(report, "b").verdict, Verdict::optimizer_crashed);
  EXPECT_THAT(report.faults, Not(IsEmpty()));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(WeakData, ValuesThatDifferAreFaultsAllTheSame) {
  executor.passes["a"] = breaks("wrong");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
  EXPECT_EQ(exit_code_of(report, false), 1);
  for (const FaultRecord& fault : report.faults) EXPECT_THAT(fault.workaround, Not(HasSubstr("verified on")));
}

TEST_F(WeakData, EqualOutputsProveNothing) {
  executor.passes["a"] = changes("other");
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(WeakData, AnInnerValueShowsAFaultThatTheOutputsHide) {
  executor.passes["a"] = breaks_inside();
  const ModelReport report = check();
  const VariantRecord& a = variant(report, "a");
  EXPECT_EQ(a.verdict, Verdict::diverged);
  EXPECT_EQ(a.message, "inner value 'i' differs by 0.5 (tolerance 0.0033 where the model gives 3) on 3 of 3 samples");
  EXPECT_EQ(a.confirmed, "2/2");
  EXPECT_THAT(a.inner, SizeIs(2));
  EXPECT_GT(a.inner.at("i").beyond_tolerance, 0);
  EXPECT_EQ(verdict_of(a.measurements), Verdict::equivalent);
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("a"));
  EXPECT_EQ(exit_code_of(report, false), 1);
}

TEST_F(WeakData, RewritesAreNotSearchedForWhatShowsInsideOnly) {
  // Parts of the recipe are not looked into, so they would all seem right.
  executor.passes["a"] = breaks_inside();
  options.localize = true;
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].rewrites, IsEmpty());
  EXPECT_THAT(report.faults[0].rewrites_message, HasSubstr("values inside only"));
}

TEST_F(WeakData, WhatOnlyFlickersInsideIsNotBlamed) {
  executor.passes["a"] = breaks_inside();
  executor.passes["a"].bad_runs = 1;
  options.each = {"a"};
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::inconclusive);
  EXPECT_THAT(variant(report, "a").message, HasSubstr("not seen again in a fresh process: inner value 'i'"));
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(WeakData, TheRestOfAFailingBundleIsReadInsideToo) {
  executor.passes["a"] = breaks_inside();
  executor.passes["b"] = changes("fine");
  executor.recipes["b,c"] = breaks_inside();
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "b,c").verdict, Verdict::diverged);
}

TEST_F(WeakData, ValuesInsideThatTheRoundTripChangesAreItsOwnFault) {
  executor.round_trip = breaks_inside();
  executor.passes["a"] = changes("more");
  const ModelReport report = check();
  ASSERT_THAT(report.faults, SizeIs(1));
  EXPECT_THAT(report.faults[0].culprits, ElementsAre("round_trip"));
}

TEST_F(WeakData, NothingInsideIsReadWhereOutputsSayEnough) {
  executor.deaf = 0;
  executor.passes["a"] = breaks_inside();
  const ModelReport report = check();
  EXPECT_EQ(exposed_runs(), 0U);
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_THROW(control(report, "capture"), std::runtime_error);
}

TEST_F(WeakData, NothingInsideIsReadWhereNothingChanges) {
  const ModelReport report = check();
  EXPECT_EQ(exposed_runs(), 0U);
  EXPECT_THROW(control(report, "capture"), std::runtime_error);
}

TEST_F(WeakData, ReadingValuesChangesNothing) {
  executor.passes["a"] = changes("other");
  const ModelReport report = check();
  EXPECT_EQ(control(report, "capture").verdict, Verdict::equivalent);
  EXPECT_EQ(control(report, "capture").message, "");
  EXPECT_EQ(exposed_runs(), 3U) << "sizes, original, variant";
}

TEST_F(WeakData, WhereReadingValuesChangesTheOutputsNoneIsCompared) {
  executor.passes["a"] = breaks_inside();
  executor.original.disturbed = 1e-5F;
  const ModelReport report = check();
  EXPECT_EQ(control(report, "capture").verdict, Verdict::diverged);
  EXPECT_THAT(control(report, "capture").message,
              HasSubstr("inner values are not compared: reading them changes the model's own outputs: output 'y'"));
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_THAT(variant(report, "a").inner, IsEmpty());
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(WeakData, WhereTheModelDoesNotRunWithValuesExposedTheControlSaysSo) {
  executor.passes["a"] = changes("other");
  executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
    stage = RunOutcome::Stage::load;
    return job.model.filename() == "original.onnx" ? failure(Ending::threw, "no such output") : Failure{};
  };
  const ModelReport report = check();
  EXPECT_EQ(control(report, "capture").verdict, Verdict::inconclusive);
  EXPECT_THAT(control(report, "capture").message, HasSubstr("no such output"));
  EXPECT_EQ(exit_code_of(report, false), 3);
}

TEST_F(WeakData, AModelWithoutInputsIsToldThatDataCannotHelp) {
  const Weakness weakness{{{"y", "1 in all elements"}}, true};
  EXPECT_EQ(weak_data_message(weakness, proposals[0], Interface{}, 0),
            "its outputs say nothing about its values: 'y' is 1 in all elements; it takes no inputs, so other data "
            "cannot help");
}

}  // namespace
}  // namespace culprit
