#include "check/ties.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "bench.h"
#include "check/gate.h"
#include "computer.h"
#include "tensor/ulp.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

const Floats near_tie = {1.0F, 1.0F + 0x1p-23F};
const Floats clear = {1.0F, 5.0F};

std::string ones(int count) {
  std::string text = "1";
  for (int i = 1; i < count; ++i) text += ", 1";
  return text;
}

/// The model says which of w * x is the largest, and how large it is.
class TiesTest : public ComputerBench {
 protected:
  TiesTest() {
    takes("g (float[2] x) => (int64[1] label) <float[2] w = {1, 1}> { y = Mul(x, w)  label = ArgMax(y) }");
    computer.computes = [](const Floats& w, const Floats& x) {
      const float a = w[0] * x[0];
      const float b = w[1] * x[1];
      return std::vector<NamedTensor>{{"label", label_of(b > a ? 1 : 0)}, {"y", vector_of({std::max(a, b)})}};
    };
  }

  /// What is said of a variant with these labels.
  Judgement judged(const std::vector<std::int64_t>& labels) {
    std::vector<Tensor> tensors;
    for (const std::int64_t label : labels) tensors.push_back(label_of(label));
    return judged_tensors(tensors);
  }

  Judgement judged_tensors(const std::vector<Tensor>& labels) {
    RunOutcome outcome;
    const fs::path variant = folder() / ("variant" + std::to_string(variants_++));
    fs::create_directories(variant);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      auto pack = read_pack(basis.reference[i]).value();
      pack[0].value = labels[i];
      outcome.outputs.push_back(variant / (std::to_string(i) + ".pack"));
      EXPECT_TRUE(write_pack(outcome.outputs.back(), pack));
    }
    know_the_floor();
    Judgement judgement;
    ties.judge(outcome, binding, Contract::equivalent, [&](Judgement made) { judgement = std::move(made); });
    EXPECT_TRUE(desk.drain());
    return judgement;
  }

  Binding binding{{}, {0, 1}, true};
  /// Its draws are not what is counted here.
  void know_the_floor() {
    const int draws = std::exchange(options.draws, 0);
    floor.need([] {});
    options.draws = draws;
  }

  LazyFloor floor{desk, basis};
  Ties ties{desk, basis, floor};

 private:
  int variants_ = 0;
};

TEST_F(TiesTest, a_flip_that_rounding_makes_too_is_a_tie) {
  feed({clear, near_tie});
  const Judgement judgement = judged({1, 0});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("label").ties, 1);
  EXPECT_EQ(judgement.measurements.at("label").mismatched, 1);
  EXPECT_THAT(judgement.message, HasSubstr("within what rounding explains"));
}

TEST_F(TiesTest, a_flip_that_rounding_does_not_make_has_diverged) {
  feed({clear, near_tie});
  const Judgement judgement = judged({0, 1});
  EXPECT_EQ(judgement.verdict, Verdict::diverged);
  EXPECT_EQ(judgement.measurements.at("label").ties, 0);
}

TEST_F(TiesTest, nothing_is_drawn_where_labels_agree) {
  feed({clear, near_tie});
  EXPECT_EQ(judged({1, 1}).verdict, Verdict::equivalent);
  EXPECT_THAT(computer.ran, IsEmpty());
}

TEST_F(TiesTest, eight_draws_of_exactly_the_samples_that_differ_half_of_them_farther) {
  feed({clear, clear, near_tie, clear});
  judged({1, 0, 1, 0});
  ASSERT_THAT(computer.ran, SizeIs(8));
  for (const RunJob& job : computer.ran) {
    ASSERT_THAT(job.samples, SizeIs(2));
    EXPECT_EQ(job.samples[0].filename(), "1.pack");
    EXPECT_EQ(job.samples[1].filename(), "3.pack");
  }
  std::vector<std::int64_t> steps;
  for (const Floats& w : computer.weights) steps.push_back(ulp_distance(w[0], 1.0F));
  EXPECT_EQ(std::ranges::count(steps, 1), 4);
  EXPECT_EQ(std::ranges::count(steps, 4), 4);
  EXPECT_TRUE(fs::is_empty(folder() / "outputs")) << "and nothing is left behind";
}

TEST_F(TiesTest, what_was_drawn_for_one_variant_serves_all) {
  feed({near_tie});
  judged({0});
  EXPECT_EQ(judged({0}).verdict, Verdict::equivalent);
  EXPECT_THAT(computer.ran, SizeIs(16)) << "eight that find the tie, and eight that find no other";
}

TEST_F(TiesTest, variants_that_ask_at_the_same_time_share_the_draws) {
  feed({near_tie, near_tie});
  know_the_floor();
  RunOutcome outcome;
  for (const auto& reference : basis.reference) {
    auto pack = read_pack(reference).value();
    pack[0].value = label_of(0);
    outcome.outputs.push_back(folder() / ("v" + reference.filename().string()));
    ASSERT_TRUE(write_pack(outcome.outputs.back(), pack));
  }
  std::vector<Verdict> verdicts;
  for (int i = 0; i < 3; ++i) {
    ties.judge(outcome, binding, Contract::equivalent, [&](const Judgement& j) { verdicts.push_back(j.verdict); });
  }
  ASSERT_TRUE(desk.drain());
  EXPECT_THAT(verdicts, ElementsAre(Verdict::equivalent, Verdict::equivalent, Verdict::equivalent));
  EXPECT_THAT(computer.ran, SizeIs(16));
}

TEST_F(TiesTest, many_of_them_in_one_output_are_found_to_the_last) {
  takes("g (float[100] x) => (int64[100] label) <float[100] w = {" + ones(100) + "}> { y = Mul(x, w) }");
  computer.computes = [](const Floats& w, const Floats& x) {
    std::vector<std::int64_t> labels;
    for (std::size_t i = 0; i + 1 < x.size(); ++i) labels.push_back(x[i] * w[i] > x[i + 1] * w[i + 1] ? 1 : 0);
    return std::vector<NamedTensor>{{"label", Tensor::of<std::int64_t>({99}, labels)}, {"y", vector_of({1})}};
  };
  Floats x(100, 1.0F);
  for (std::size_t i = 0; i < x.size(); i += 2) x[i] += 0x1p-23F;
  feed({x});
  auto pack = read_pack(basis.reference[0]).value();
  std::vector<std::int64_t> flipped;
  for (const std::int64_t label : pack[0].value.as<std::int64_t>()) flipped.push_back(1 - label);
  const Judgement judgement = judged_tensors({Tensor::of<std::int64_t>({99}, flipped)});
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("label").ties, 99);
}

TEST_F(TiesTest, are_found_in_all_samples_and_not_only_the_first) {
  std::vector<Floats> samples(10, clear);
  std::vector<std::int64_t> labels(10, 1);
  for (const std::size_t i : {0U, 2U, 4U, 6U, 8U, 9U}) samples[i] = near_tie, labels[i] = 0;
  feed(samples);
  const Judgement judgement = judged(labels);
  EXPECT_EQ(judgement.verdict, Verdict::equivalent);
  EXPECT_EQ(judgement.measurements.at("label").ties, 6);
  ASSERT_THAT(computer.ran, SizeIs(32)) << "four samples, then the other two, each twice";
  EXPECT_THAT(computer.ran[0].samples, SizeIs(4));
  EXPECT_THAT(computer.ran[31].samples, SizeIs(2));
}

TEST_F(TiesTest, a_wrong_label_settles_the_verdict_without_drawing_the_rest) {
  feed(std::vector<Floats>(10, clear));
  EXPECT_EQ(judged(std::vector<std::int64_t>(10, 0)).verdict, Verdict::diverged);
  EXPECT_THAT(computer.ran, SizeIs(8));
  for (const RunJob& job : computer.ran) EXPECT_THAT(job.samples, SizeIs(4));
}

TEST_F(TiesTest, the_result_does_not_depend_on_what_was_drawn_before) {
  std::vector<Floats> samples(10, near_tie);
  samples[1] = clear;
  feed(samples);
  const std::vector<std::int64_t> wrong(10, 0);
  const Judgement alone = judged(wrong);
  std::vector<std::int64_t> late(10, 1);
  late[9] = 0;
  EXPECT_EQ(judged(late).verdict, Verdict::equivalent) << "now the ties of the last sample are known as well";
  const Judgement again = judged(wrong);
  EXPECT_EQ(again.verdict, Verdict::diverged);
  EXPECT_EQ(again.measurements.at("label").ties, alone.measurements.at("label").ties);
  EXPECT_EQ(again.measurements.at("label").beyond_floor, alone.measurements.at("label").beyond_floor);
}

TEST_F(TiesTest, a_draw_that_fails_tells_nothing) {
  feed({near_tie});
  computer.fails = [](std::size_t) { return failure(Ending::crashed, "killed by SIGSEGV"); };
  EXPECT_EQ(judged({0}).verdict, Verdict::diverged);
}

TEST_F(TiesTest, without_draws_every_flip_counts) {
  options.draws = 0;
  feed({near_tie});
  EXPECT_EQ(judged({0}).verdict, Verdict::diverged);
  EXPECT_THAT(computer.ran, IsEmpty());
}

/// The same through the whole check: confirmations, and the counts in the report.
class TiesInCheck : public Bench {
 protected:
  TiesInCheck() {
    options.draws = 3;
    options.each = {"a"};
    executor.labels = true;
    executor.passes["a"] = changes("flips");
    executor.passes["a"].shift_label = 1;
  }
};

TEST_F(TiesInCheck, a_flipped_near_tie_is_equivalent) {
  proposals = {proposal("synthesized", {-1 - 0x1p-23F})};  // the other element is -1
  executor.passes["a"].shift_label = -1;
  const ModelReport report = check();
  EXPECT_EQ(variant(report, "a").verdict, Verdict::equivalent);
  EXPECT_EQ(variant(report, "a").measurements.at("label").ties, 1);
  EXPECT_EQ(report.noise_floor.at("label").ties, 1);
  EXPECT_THAT(report.faults, IsEmpty());
}

TEST_F(TiesInCheck, a_wrong_label_has_diverged_and_is_confirmed) {
  for (std::uint64_t order = 0; order < 8; ++order) {
    executor.shuffle = order;
    const ModelReport report = check();
    EXPECT_EQ(variant(report, "a").verdict, Verdict::diverged);
    EXPECT_EQ(variant(report, "a").confirmed, "2/2");
    EXPECT_EQ(variant(report, "a").measurements.at("label").beyond_floor, 3);
  }
}

TEST_F(TiesInCheck, the_outputs_of_a_variant_go_once_it_is_judged) {
  check();
  EXPECT_FALSE(fs::exists(folder() / "outputs"));
}

TEST(Gate, opens_once_when_all_is_there) {
  int opened = 0;
  Gate gate(2, [&] { ++opened; });
  gate.arrived();
  EXPECT_EQ(opened, 0);
  gate.arrived();
  EXPECT_EQ(opened, 1);
  gate.arrived();
  EXPECT_EQ(opened, 1);
}

}  // namespace
}  // namespace culprit
