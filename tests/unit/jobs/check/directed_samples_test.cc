#include "baseline/directed/directed_samples.h"

#include "bench.h"
#include "unit/models/model/parse.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// A model whose scores are x itself or lie inside (t), and a pass that fires at the ArgMax of them.
class DirectedTest : public Bench {
 protected:
  DirectedTest() {
    const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
        g (float[2] x) => (float[2] y, float[2] z) { t = Sigmoid(x) y = Exp(x) a = ArgMax(x) b = ArgMax(t) z = Neg(x) })");
    model.proto = std::make_shared<onnx::ModelProto>(proto);
    executor.places = {at_input};
  }

  /// The runs of the original that came before the repeat: the baseline's and the directed ones'.
  [[nodiscard]] std::vector<RunJob> first_runs() const {
    const auto is_repeat = [](const RunJob& job) { return job.folder.filename() == "repeat"; };
    return {executor.ran.begin(), std::ranges::find_if(executor.ran, is_repeat)};
  }

  [[nodiscard]] std::vector<fs::path> repeated() const {
    const auto is_repeat = [](const RunJob& job) { return job.folder.filename() == "repeat"; };
    return std::ranges::find_if(executor.ran, is_repeat)->samples;
  }

  const Place at_input{"a", "ArgMax", "a", {"x"}};
  const Place inside{"a", "ArgMax", "b", {"t"}};
};

TEST_F(DirectedTest, TheLastSampleIsDirectedAndHalfOfThemStayPlain) {
  const auto report = check();
  EXPECT_EQ(report.data.directed, 1);
  EXPECT_THAT(report.data.directions, Contains(testing::Field(&Direction::sample, 2U)));
  EXPECT_THAT(report.data.directions, Contains(testing::Field(&Direction::aim, HasSubstr("into 'x' (a)"))));
  EXPECT_EQ(report.data.samples, 3);
  const auto samples = repeated();
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0], first_runs()[0].samples[0]);
  EXPECT_EQ(samples[1], first_runs()[0].samples[1]);
  EXPECT_NE(samples[2], first_runs()[0].samples[2]);
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
}

TEST_F(DirectedTest, OfManySamplesAtLeastHalfStayPlainAndAtMostEightCandidatesAreRun) {
  std::vector<float> firsts;
  for (int i = 0; i < 11; ++i) firsts.push_back(static_cast<float>(i));
  proposals = {proposal("synthesized", firsts)};
  const auto report = check();
  EXPECT_GE(report.data.directed, 1);
  EXPECT_LE(report.data.directed, 5);
  EXPECT_LE(report.data.directions.size(), 10U);
  ASSERT_EQ(first_runs().size(), 2U);
  EXPECT_LE(first_runs()[1].samples.size(), 8U);
}

TEST_F(DirectedTest, TheSameSeedDirectsTheSame) {
  const auto once = check();
  executor.ran.clear();
  EXPECT_EQ(check().data.directions, once.data.directions);
}

TEST_F(DirectedTest, WhereNoPlaceWantsAnythingNothingMoreIsRun) {
  executor.places = {{"a", "Neg", "z", {"x"}}, {"a", "ArgMax", "no such value", {"x"}}};
  EXPECT_EQ(check().data.directed, 0);
  EXPECT_EQ(first_runs().size(), 1U);
}

TEST_F(DirectedTest, GivenDataAndSingleSamplesAreLeftAlone) {
  proposals[0].facts.source = DataSource::test_data_set;
  EXPECT_EQ(check().data.directed, 0);
  EXPECT_EQ(executor.optimized.front().most_places, 0U) << "the scan is not even asked";
  proposals = {proposal("synthesized", {1})};
  EXPECT_EQ(check().data.directed, 0);
  options.directed = false;
  proposals = {proposal("synthesized", {1, 2, 3})};
  EXPECT_EQ(check().data.directed, 0);
}

TEST_F(DirectedTest, ValuesInsideAreReadAndTheReferenceIsRunWithoutThem) {
  executor.places = {inside};
  const auto report = check();
  EXPECT_EQ(report.data.directed, 1);
  ASSERT_EQ(first_runs().size(), 3U);
  EXPECT_EQ(first_runs()[1].model.filename(), "original.onnx");
  EXPECT_EQ(first_runs()[1].samples.size(), 4U) << "a plain one, and three candidates";
  EXPECT_EQ(first_runs()[2].model, model.path);
  EXPECT_EQ(first_runs()[2].samples.size(), 1U);
}

TEST_F(DirectedTest, WhereReadingValuesChangesTheOutputsTheyAreNotRead) {
  executor.places = {inside};
  executor.original.disturbed = 1;
  const auto report = check();
  EXPECT_EQ(report.data.directed, 1);
  ASSERT_EQ(first_runs().size(), 3U);
  EXPECT_EQ(first_runs()[2].model, model.path);
  EXPECT_EQ(first_runs()[2].samples.size(), 3U) << "the candidates, by their outputs";
}

TEST_F(DirectedTest, ACandidateThatTheModelRefusesIsLeftOut) {
  executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
    stage = RunOutcome::Stage::run;
    const bool is_first = job.samples.front().filename() == "0.pack";
    return is_first && job.samples.front().parent_path().filename() == "directed" ? failure(Ending::threw, "no")
                                                                                  : Failure{};
  };
  const auto report = check();
  EXPECT_EQ(first_runs().size(), 3U) << "the rest is run";
  EXPECT_EQ(report.data.directed, 1);
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
}

TEST_F(DirectedTest, CandidatesThatTakeTooLongEndTheSearch) {
  executor.refuses = [](const RunJob& job, RunOutcome::Stage& stage) {
    stage = RunOutcome::Stage::run;
    return job.samples.front().parent_path().filename() == "directed" ? failure(Ending::timed_out, "slow") : Failure{};
  };
  const auto report = check();
  EXPECT_EQ(first_runs().size(), 2U);
  EXPECT_EQ(report.data.directed, 0);
  EXPECT_EQ(report.baseline.status, BaselineStatus::ok);
}

TEST_F(DirectedTest, WhatIsJudgedDoesNotWaitForAnImportThatFails) {
  executor.import = failure(Ending::crashed, "killed by SIGSEGV");
  const auto report = check();
  EXPECT_EQ(control(report, "repeat").verdict, Verdict::equivalent);
  EXPECT_EQ(report.data.directed, 0);
}

TEST_F(DirectedTest, AnyOrderOfOutcomesGivesTheSame) {
  executor.passes["a"] = breaks("wrong");
  const auto first = check();
  for (std::uint64_t order = 1; order < 6; ++order) {
    executor.shuffle = order;
    const auto again = check();
    EXPECT_EQ(again.data.directions, first.data.directions);
    EXPECT_EQ(variant(again, "a").verdict, variant(first, "a").verdict);
    EXPECT_EQ(again.faults.size(), first.faults.size());
  }
}

TEST_F(DirectedTest, WhereAPlaceIsInABodyAllSamplesAreLookedAtFirst) {
  model.proto = std::make_shared<onnx::ModelProto>(parse_model(
      R"(<ir_version: 8, opset_import: ["" : 13]> g (float[2] x, bool c) => (float[2] y, int64[1] z) { y = Exp(x)
          z = If(c) <then_branch = p () => (int64[1] a) { t = Neg(x) a = ArgMax(t) },
                     else_branch = q () => (int64[1] b) { b = ArgMax(x) }> })"));
  executor.places = {{"a", "ArgMax", "a", {"t"}}};
  const auto report = check();
  EXPECT_EQ(report.data.directed, 1);
  ASSERT_EQ(first_runs().size(), 5U) << "the baseline, the look, candidates, larger ones, and what was chosen";
  EXPECT_EQ(first_runs()[1].model.filename(), "original.onnx");
  EXPECT_EQ(first_runs()[1].samples, first_runs()[0].samples);
  EXPECT_EQ(first_runs()[2].model.filename(), "original.onnx");
  EXPECT_LE(first_runs()[2].samples.size(), 8U);
  EXPECT_GT(first_runs()[2].samples.size(), 3U) << "what is varied may lead away from the branch";
  EXPECT_EQ(first_runs()[4].model, model.path);

  executor.ran.clear();
  executor.original.disturbed = 1;
  EXPECT_EQ(check().data.directed, 1);
  ASSERT_EQ(first_runs().size(), 3U) << "where reading changes the outputs, these tell";
  EXPECT_EQ(first_runs()[2].model, model.path);
}

}  // namespace
}  // namespace culprit
