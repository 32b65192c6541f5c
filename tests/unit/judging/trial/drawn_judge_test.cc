#include "trial/drawn_judge.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "drawn_judge_bench.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Floats near_tie = {1.0F, 1.0F + 0x1p-23F};
const Floats clear = {1.0F, 5.0F};

/// y = w * x, with w = {1.5, 2.5}.
class DrawnNumbers : public DrawnJudgeBench {
 protected:
  DrawnNumbers() {
    computer.computes = [](const Floats& w, const Floats& x) {
      return std::vector<NamedTensor>{{"y", vector_of({x[0] * w[0], x[1] * w[1]})}};
    };
    binding.outputs = {0};
  }
};

TEST_F(DrawnNumbers, WhereAllBitsAgreeNothingIsDrawn) {
  feed({{1, 2}});
  EXPECT_EQ(judged({vector_of({1.5F, 5})}).verdict, Verdict::equivalent);
  EXPECT_THAT(computer.ran, IsEmpty());
  EXPECT_THAT(noise_floors(judge().known()), IsEmpty());
}

TEST_F(DrawnNumbers, OneDrawOfExactlyTheSamplesThatDifferAtTheLevelOfTheReference) {
  reference.session.level = Level::basic;
  feed({{1, 2}, {1, 2}, {3, 2}, {1, 2}, {5, 2}});
  const Tensor same = vector_of({1.5F, 5});
  const Judgement judgement =
      judged({same, same, vector_of({4.5F + 0x1p-21F, 5}), same, vector_of({7.5F + 0x1p-21F, 5})});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  ASSERT_THAT(computer.ran, SizeIs(1));
  EXPECT_EQ(computer.ran[0].session.level, Level::basic);
  ASSERT_THAT(computer.ran[0].samples, SizeIs(2));
  EXPECT_EQ(computer.ran[0].samples[0].filename(), "s2.pack");
  EXPECT_EQ(computer.ran[0].samples[1].filename(), "s4.pack");
  EXPECT_EQ(floor_of("y").samples, 2);
  EXPECT_EQ(floor_of("y").draws, 1);
}

TEST_F(DrawnNumbers, DrawsMoveWeightsInTheWorkerAndNoModelIsWritten) {
  feed({{1, 2}});
  judged({vector_of({1.6F, 5})});
  ASSERT_THAT(computer.weights, SizeIs(3)) << "far beyond: three draws settle it";
  EXPECT_EQ(ulp_distance(computer.weights[0][0], 1.5F), 1);
  EXPECT_EQ(ulp_distance(computer.weights[1][0], 1.5F), 4);
  EXPECT_EQ(ulp_distance(computer.weights[2][1], 2.5F), 1);
  for (const RunJob& job : computer.ran) {
    EXPECT_EQ(job.model, reference.model.path);
    EXPECT_TRUE(job.perturbation);
  }
  EXPECT_TRUE(fs::is_empty(folder() / "outputs")) << "and nothing is left behind";
}

TEST_F(DrawnNumbers, SamplesAreRunAsTheyAre) {
  feed({{1, 2}});
  judged({vector_of({1.6F, 5})});
  EXPECT_EQ(computer.ran.at(0).samples, reference.samples)
      << "inputs that are summed move in the worker, before the sum";
}

TEST_F(DrawnNumbers, InputsThatNothingSumsStay) {
  takes("g (float[2] x) => (float[2] y) { y = Sub(x, x) }");
  computer.computes = [](const Floats&, const Floats& x) { return std::vector<NamedTensor>{{"y", vector_of(x)}}; };
  feed({{1.5F, 3}});
  judged({vector_of({1.5F, 3 + 0x1p-22F})});
  EXPECT_EQ(floor_of("y").deviation, 0) << "no rewrite rounds an input; what Sub gives moves in the worker";
}

TEST_F(DrawnNumbers, InputsThatSteerStay) {
  takes("g (float[2] x) => (int64[2] y) { y = Cast<to = 7>(x) }");
  computer.computes = [](const Floats&, const Floats&) { return std::vector<NamedTensor>{{"y", label_of(1)}}; };
  feed({{3, 2}});
  EXPECT_EQ(judged({label_of(2)}).verdict, Verdict::diverged);
  EXPECT_THAT(computer.ran, IsEmpty());
}

TEST_F(DrawnNumbers, ASampleThatIsMuchLargerIsHeldAgainstItsOwnDraws) {
  feed({{1, 2}, {1e5F, 2e5F}});
  EXPECT_EQ(judged({vector_of({1.5F, 5}), vector_of({1.5e5F + 0x1p-6F, 5e5F})}).verdict, Verdict::equivalent);
  EXPECT_EQ(judged({vector_of({1.5F + 0x1p-6F, 5}), vector_of({1.5e5F, 5e5F})}).verdict, Verdict::diverged);
}

/// One element is sensitive; what it may do, no other may.
TEST_F(DrawnNumbers, OneSensitiveElementExcusesNoOther) {
  computer.computes = [](const Floats& w, const Floats& x) {
    return std::vector<NamedTensor>{{"y", vector_of({(w[0] - 1.5F) * 1e6F, x[1] * w[1]})}};
  };
  feed({{1, 2}});
  EXPECT_EQ(judged({vector_of({0.125F, 5})}).verdict, Verdict::equivalent);
  EXPECT_EQ(judged({vector_of({0, 5.125F})}).verdict, Verdict::diverged);
}

TEST_F(DrawnNumbers, NanThatRoundingDecidesIsATie) {
  computer.computes = [](const Floats& w, const Floats& x) {
    const float cosine = w[0] / 1.5F;  // 1, or a hair beside it
    return std::vector<NamedTensor>{{"y", vector_of({std::acos(cosine), x[1] * w[1]})}};
  };
  feed({{1, 2}});
  const Judgement tie = judged({vector_of({std::nanf(""), 5})});
  EXPECT_EQ(tie.verdict, Verdict::equivalent) << tie.message;
  EXPECT_EQ(tie.measurements.at("y").ties, 1);
  EXPECT_EQ(judged({vector_of({0, std::nanf("")})}).verdict, Verdict::diverged);
}

TEST_F(DrawnNumbers, WhatCancelsIsHiddenAndThatIsSaid) {
  computer.computes = [](const Floats& w, const Floats& x) {
    return std::vector<NamedTensor>{{"y", vector_of({x[0] - x[0] * w[0], x[1] - x[1] * w[1]})}};
  };
  takes("g (float[2] x) => (float[2] y) <float[2] w = {1.00001, 0.99999}> { y = Mul(x, w) }");
  feed({{1000, 2000}});
  auto pack = read_pack(reference.outputs[0]).value();
  Floats y = floats_of(pack[0].value);
  y[0] += 0x1p-14F;
  judged({vector_of(y)});
  const auto warnings = hidden_by_rounding(reference, judge().known());
  ASSERT_THAT(warnings, SizeIs(1));
  EXPECT_EQ(warnings[0].code, "floor_hides");
  EXPECT_THAT(warnings[0].message, HasSubstr("2 of 2 elements of output 'y'"));
}

TEST_F(DrawnNumbers, WeightsOutsideTheModelAreBroughtIn) {
  ASSERT_TRUE(write_file_atomic(folder() / "w.bin", std::string("\0\0\x80\x3f\0\0\0\x40", 8)));
  takes(R"(g (float[2] x) => (float[2] y) <float[2] w = ["location": "w.bin"]> { y = MatMul(x, w) })");
  ASSERT_TRUE(reference.model.has_external_data);
  const std::vector<NamedTensor> inputs = {{"x", vector_of({1, 2})}};
  const std::vector<NamedTensor> outputs = {{"y", vector_of({1, 4})}};
  ASSERT_TRUE(write_pack(folder() / "in.pack", inputs) && write_pack(folder() / "out.pack", outputs));
  reference.samples = {folder() / "in.pack"};
  reference.outputs = {folder() / "out.pack"};
  judged({vector_of({1, 5})});
  EXPECT_EQ(floor_of("y").draws, 3);
  EXPECT_EQ(ulp_distance(computer.weights.at(0)[0], 1.0F), 1);
}

TEST_F(DrawnNumbers, ADrawThatFailsOrChangesAShapeTellsNothing) {
  int run = 0;
  computer.computes = [&run](const Floats& w, const Floats& x) {
    Floats y = {x[0] * w[0], x[1] * w[1]};
    if (++run == 2) y.push_back(1);  // 1 is the reference
    return std::vector<NamedTensor>{{"y", vector_of(y)}};
  };
  feed({{1, 2}});
  Failure killed;
  killed.ending = Ending::crashed;
  killed.message = "killed by SIGSEGV";
  computer.fails = [&killed](std::size_t job) { return job == 1 ? killed : Failure(); };
  judged({vector_of({1.6F, 5})});
  EXPECT_EQ(floor_of("y").draws, 1);
  EXPECT_EQ(floor_of("y").discarded, 2);
}

/// The model says which of w * x is the largest, and how large it is.
class DrawnNames : public DrawnJudgeBench {
 protected:
  DrawnNames() {
    takes("g (float[2] x) => (int64[1] label) <float[2] w = {1, 1}> { y = MatMul(x, w)  label = ArgMax(y) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      const float a = w[0] * x[0];
      const float b = w[1] * x[1];
      return std::vector<NamedTensor>{{"label", label_of(b > a ? 1 : 0)}, {"y", vector_of({std::max(a, b)})}};
    };
  }

  /// What is said of a variant with these labels.
  Judgement named(const std::vector<std::int64_t>& labels) {
    std::vector<Tensor> tensors;
    for (const std::int64_t label : labels) tensors.push_back(label_of(label));
    return judged(tensors);
  }
};

TEST_F(DrawnNames, AFlipThatRoundingMakesTooIsATie) {
  feed({clear, near_tie});
  const Judgement judgement = named({1, 0});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("label").ties, 1);
  EXPECT_EQ(judgement.measurements.at("label").mismatched, 1);
  EXPECT_THAT(judgement.message, HasSubstr("within the expected rounding error"));
}

TEST_F(DrawnNames, AFlipThatRoundingDoesNotMakeHasDiverged) {
  feed({clear, near_tie});
  const Judgement judgement = named({0, 1});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_EQ(judgement.measurements.at("label").ties, 0);
}

TEST_F(DrawnNames, OfATieOnlyWhatDrawsGaveIsOne) {
  feed({near_tie});
  EXPECT_EQ(named({2}).verdict, Verdict::diverged) << "a third one";
}

TEST_F(DrawnNames, ASingleOneThatNoDrawFlipsIsDrawnToTheLast) {
  feed({clear, clear, near_tie, clear});
  EXPECT_EQ(named({1, 0, 1, 0}).verdict, Verdict::diverged);
  ASSERT_THAT(computer.ran, SizeIs(27));
  for (const RunJob& job : computer.ran) EXPECT_THAT(job.samples, SizeIs(2));
  std::vector<std::int64_t> steps;
  for (const Floats& w : computer.weights) steps.push_back(ulp_distance(w[0], 1.0F));
  EXPECT_EQ(std::ranges::count(steps, 1), 14);
  EXPECT_EQ(std::ranges::count(steps, 4), 13);
}

TEST_F(DrawnNames, WhatWasDrawnForOneVariantServesAll) {
  feed({near_tie});
  named({0});
  const std::size_t ran = computer.ran.size();
  EXPECT_EQ(named({0}).verdict, Verdict::equivalent);
  EXPECT_EQ(computer.ran.size(), ran);
}

TEST_F(DrawnNames, VariantsThatAskAtTheSameTimeShareTheDraws) {
  feed({near_tie, near_tie});
  const RunOutcome outcome = variant({label_of(0), label_of(0)});
  std::vector<Verdict> verdicts;
  for (int i = 0; i < 3; ++i) {
    judge().judge(outcome, binding, Contract::equivalent, [&](const Judgement& j) { verdicts.push_back(j.verdict); });
  }
  ASSERT_TRUE(dispatcher.drain());
  EXPECT_THAT(verdicts, ElementsAre(Verdict::equivalent, Verdict::equivalent, Verdict::equivalent));
  const std::size_t shared = computer.ran.size();
  EXPECT_LE(shared, 27U);
}

TEST_F(DrawnNames, WhatIsHeldAgainstTheModelAtAnotherLevelSharesTheDraws) {
  feed({near_tie});
  named({0});
  const std::size_t before = computer.ran.size();
  EXPECT_GT(before, 0U);
  Reference there = reference;
  there.session.level = Level::all;
  DrawnJudge judge_there(there, judge());
  const RunOutcome outcome = variant({label_of(0)});
  Judgement judgement;
  judge_there.judge(outcome, binding, Contract::equivalent, [&](Judgement made) { judgement = std::move(made); });
  ASSERT_TRUE(dispatcher.drain());
  EXPECT_EQ(judgement.verdict, Verdict::equivalent) << judgement.message;
  EXPECT_THAT(computer.ran, SizeIs(before));
}

TEST_F(DrawnNames, AreDrawnInAllSamplesAndNotOnlyTheFirst) {
  std::vector<Floats> samples(10, clear);
  std::vector<std::int64_t> labels(10, 1);
  for (const std::size_t i : {0U, 2U, 4U, 6U, 8U, 9U}) samples[i] = near_tie, labels[i] = 0;
  feed(samples);
  const Judgement judgement = named(labels);
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("label").ties, 6);
  EXPECT_THAT(computer.ran[0].samples, SizeIs(4)) << "four samples, and then the other two";
}

TEST_F(DrawnNames, AWrongOneSettlesTheVerdictWithoutDrawingTheRest) {
  feed(std::vector<Floats>(10, clear));
  EXPECT_EQ(named(std::vector<std::int64_t>(10, 0)).verdict, Verdict::diverged);
  for (const RunJob& job : computer.ran) EXPECT_THAT(job.samples, SizeIs(4));
}

TEST_F(DrawnNames, TheResultDoesNotDependOnWhatWasDrawnBefore) {
  std::vector<Floats> samples(10, near_tie);
  samples[1] = clear;
  feed(samples);
  const std::vector<std::int64_t> wrong(10, 0);
  const Judgement alone = named(wrong);
  std::vector<std::int64_t> late(10, 1);
  late[9] = 0;
  EXPECT_EQ(named(late).verdict, Verdict::equivalent) << "now the ties of the last sample are known as well";
  const Judgement again = named(wrong);
  EXPECT_EQ(again.verdict, Verdict::diverged);
  EXPECT_EQ(again.draws, alone.draws);
  EXPECT_EQ(again.measurements.at("label").ties, alone.measurements.at("label").ties);
  EXPECT_EQ(again.measurements.at("label").beyond_floor, alone.measurements.at("label").beyond_floor);
}

TEST_F(DrawnNames, WithoutDrawsEveryFlipCounts) {
  options.draws = 0;
  feed({near_tie});
  EXPECT_EQ(named({0}).verdict, Verdict::diverged);
  EXPECT_THAT(computer.ran, IsEmpty());
}

}  // namespace
}  // namespace culprit
