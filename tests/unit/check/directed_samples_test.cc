#include "check/directed/directed_samples.h"

#include "bench.h"
#include "check/directed/samples_to_vary.h"
#include "unit/model/parse.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

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

TEST(Bases, ThoseThatComeToMostAreFirstAndThoseThatComeToNoneAreLeftOut) {
  EXPECT_THAT(bases_of({{}, {"a"}, {"b"}, {"a"}, {}}), testing::ElementsAre(3U, 2U, 1U));
  EXPECT_THAT(bases_of({{"a", "b"}, {"a"}, {"c"}}), testing::ElementsAre(0U, 2U, 1U));
  EXPECT_THAT(bases_of({{}, {}}), IsEmpty());
}

TEST(Coverage, TheCandidateThatAddsMostIsChosenAndNoneThatAddsNothing) {
  EXPECT_THAT(most_telling({{1, 2}, {1, 2, 3}, {3}}, {1}, {}, 3), testing::ElementsAre(1U));
  EXPECT_THAT(most_telling({{1, 2, 3}, {9}}, {}, {9}, 1), testing::ElementsAre(1U)) << "what is wished counts more";
  EXPECT_THAT(most_telling({{1}}, {1}, {}, 1), IsEmpty());
}

TEST(Coverage, PatternsTellZerosTiesAndWindowsBelowZero) {
  const auto has = [](const Tensor& tensor, Wish wish) {
    const Patterns found = patterns_of(tensor, 3);
    return std::ranges::includes(found, patterns_wished(wish, 3));
  };
  EXPECT_TRUE(has(Tensor::of<float>({2}, {0.0F, -0.0F}), Wish::signed_zeros));
  EXPECT_FALSE(has(Tensor::of<float>({2}, {0.0F, 1.0F}), Wish::signed_zeros));
  EXPECT_TRUE(has(Tensor::of<float>({1, 3}, {1, 4, 4}), Wish::ties));
  EXPECT_FALSE(has(Tensor::of<float>({1, 3}, {1, 1, 4}), Wish::ties));
  EXPECT_TRUE(has(Tensor::of<float>({1, 1, 2, 2}, {-1, -1, -1, -1}), Wish::negative_border));
  EXPECT_FALSE(has(Tensor::of<float>({1, 1, 2, 2}, {-1, -1, -1, 1}), Wish::negative_border));
}

TEST(Directions, OperatorsWantWhatTheirRewritesShow) {
  const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]>
      g (float[1,1,4,4] x, bool c) => (float[a,b,d,e] y)
      <int64[8] pads = {0,0,1,1,0,0,1,1}, float zero = {0}, float two = {2}> {
        p = Pad(x, pads) m = MaxPool<kernel_shape = [2,2]>(p) s = Add(m, zero) t = Mul(s, two) y = Where(c, t, m) })");
  const std::vector<Place> places = {{"fuse_pad_into_pool", "MaxPool", "m", {"p"}},
                                     {"eliminate_nop_with_unit", "Add", "s", {"m", "zero"}},
                                     {"eliminate_nop_with_unit", "Mul", "t", {"s", "two"}},
                                     {"w", "Where", "y", {"c", "t", "m"}}};
  std::vector<std::pair<std::string, Wish>> found;
  for (const Want& want : wants_of(places, proto)) found.emplace_back(want.value, want.wish);
  EXPECT_THAT(found, testing::ElementsAre(std::pair{"x", Wish::negative_border}, std::pair{"m", Wish::signed_zeros},
                                          std::pair{"m", Wish::not_finite}, std::pair{"c", Wish::both_truths}));
  EXPECT_THAT(inputs_for_not_finite(proto.graph()), Not(Contains("x"))) << "a pool may do with a NaN what it likes";
}

TEST(Directions, PlacesInBodiesSayWhatTheirNodesMake) {
  const auto proto = parse_model(R"(<ir_version: 8, opset_import: ["" : 13]> g (bool c, float[1,1,4,4] x) => (float y) {
      y = If(c) <then_branch = t () => (float p) { q = Constant<value = int64[8] {0,0,1,1,0,0,1,1}>()
                   r = Neg(x) s = Pad(r, q) p = MaxPool<kernel_shape = [2,2]>(s) },
                 else_branch = e () => (float o) { o = Exp(x) }> })");
  const std::vector<Place> places = {{"fuse_pad_into_pool", "MaxPool", "p", {"s"}}};
  const auto wants = wants_of(places, proto);
  ASSERT_EQ(wants.size(), 1U);
  EXPECT_EQ(wants[0].value, "r");
  EXPECT_EQ(wants[0].wish, Wish::negative_border);
  EXPECT_EQ(wants[0].inside, "p");
}

}  // namespace
}  // namespace culprit
