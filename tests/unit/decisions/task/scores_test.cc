// Curves and calibration: what they are asked for, where there are none, and that chunks change no bit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

MadeSample labelled_row(const Floats& reference, const Floats& variant, const std::string& label) {
  const auto count = static_cast<std::int64_t>(reference.size());
  MadeSample sample{output_of("y", {1, count}, reference), output_of("y", {1, count}, variant), {}};
  sample.truth.label = label;
  return sample;
}

MadeSample labelled_row(const Floats& row, const std::string& label) { return labelled_row(row, row, label); }

DecisionRecord with_scores(const std::vector<MadeSample>& samples, const TaskSettings& settings = {}) {
  return compared("classification", samples, settings, {.with_scores = true});
}

TEST(Scores, NobodyAskedAndNoLabelsAreNoCurves) {
  const std::vector<MadeSample> samples{labelled_row({0.25F, 0.75F}, "1"), labelled_row({0.5F, 0.5F}, "0")};
  EXPECT_EQ(compared("classification", samples).scores, ScoreRecord());
  EXPECT_FALSE(compared("classification", samples).variant_against_labels.contains("auc"));
  EXPECT_EQ(with_scores({labelled_row({0.25F, 0.75F}, "")}).scores, ScoreRecord());
  EXPECT_EQ(with_scores(samples).variant_against_labels.at("auc").value, 1);
}

TEST(Scores, ChancesOfClassOneAreReadFromOneNumber) {
  const auto chance = [](float yes, const char* label) { return labelled_row({yes}, label); };
  const DecisionRecord record = with_scores({chance(0.75F, "1"), chance(0.5F, "0"), chance(0.25F, "1")});
  EXPECT_EQ(record.variant_against_labels.at("auc").value, 0.5);
  EXPECT_NEAR(record.scores.calibration->brier.value, (0.0625 + 0.25 + 0.5625) / 3, 1e-12);
}

TEST(Scores, LogitsHaveCurvesAndNoCalibration) {
  const std::vector<MadeSample> samples{labelled_row({1, 3}, "1"), labelled_row({4, 5}, "0"),
                                        labelled_row({9, 8}, "0")};
  const DecisionRecord record = with_scores(samples);
  EXPECT_FALSE(record.scores.calibration);
  EXPECT_THAT(record.scores.no_calibration, HasSubstr("on 3 of 3 samples the scores are no chances"));
  EXPECT_THAT(record.scores.no_calibration, HasSubstr("--softmax"));
  EXPECT_EQ(record.variant_against_labels.at("auc").value, 1) << "2 more stands before 1 more, and that before -1";
  const DecisionRecord soft = with_scores(samples, {.softmax = true});
  ASSERT_TRUE(soft.scores.calibration);
  EXPECT_EQ(soft.scores.no_calibration, "");
  EXPECT_EQ(soft.variant_against_labels.at("auc").value, 1);
  EXPECT_NEAR(soft.scores.curve.precision_thresholds[0], 1 / (1 + std::exp(-2.0)), 1e-12);
}

TEST(Scores, LabelsWithoutScoresAndManyClassesHaveNoCurves) {
  MadeSample bare{{{"label", Tensor::of<std::int64_t>({1}, {3})}}, {{"label", Tensor::of<std::int64_t>({1}, {3})}}, {}};
  bare.truth.label = "3";
  const DecisionRecord labels = with_scores({bare});
  EXPECT_THAT(labels.scores.no_curve, HasSubstr("the outputs are labels"));
  EXPECT_EQ(labels.scores.no_calibration, labels.scores.no_curve);
  Floats many(101, 0.0F);
  many[3] = 1;
  const DecisionRecord of_many = with_scores({labelled_row(many, "3")});
  EXPECT_THAT(of_many.scores.no_curve, HasSubstr("101 classes, and curves are made of 100 at most"));
  const DecisionRecord not_asked = with_scores({labelled_row({1, 0, 0}, "0"), labelled_row({0, 1, 0}, "1")});
  EXPECT_THAT(not_asked.scores.no_curve, HasSubstr("--curves"));
  EXPECT_FALSE(not_asked.variant_against_labels.contains("auc_macro"));
  EXPECT_TRUE(of_many.scores.calibration) << "that takes the best class alone";
  EXPECT_THAT(with_scores({labelled_row({0.25F, 0.75F}, "1")}).scores.no_curve, HasSubstr("of one class"));
}

/// By how much a model's chances are worse than those of the reference, sample by sample.
TEST(Scores, TheChangeOfBrierIsThatOfTheSameSamples) {
  const DecisionRecord record =
      with_scores({labelled_row({0.25F, 0.75F}, {0.5F, 0.5F}, "1"), labelled_row({0.75F, 0.25F}, {0.75F, 0.25F}, "0")});
  const CalibrationRecord& its = *record.scores.calibration;
  EXPECT_NEAR(its.brier.value, (0.25 + 0.0625) / 2, 1e-12);
  EXPECT_NEAR(its.brier_change->value, (0.25 - 0.0625) / 2, 1e-12);
  EXPECT_EQ(its.bins[7].count, 1) << "0.5 is of (7/15, 8/15]";
  EXPECT_EQ(its.bins[11].count, 1);
  const DecisionRecord bad_first = with_scores({labelled_row({7, 9}, {0.5F, 0.5F}, "1")});
  EXPECT_TRUE(bad_first.scores.calibration) << "it does not depend on the reference";
  EXPECT_FALSE(bad_first.scores.calibration->brier_change);
}

TEST(Scores, NaNComesLastAndALabelOfNoClassIsWrong) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DecisionRecord record = with_scores({labelled_row({0.25F, 0.75F}, "1"), labelled_row({0.75F, 0.25F}, "0"),
                                             labelled_row({nan, nan}, "1"), labelled_row({0.5F, 0.5F}, "7")});
  EXPECT_EQ(record.variant_against_labels.at("auc").value, 0.5) << "before both others, and after both";
  EXPECT_EQ(record.scores.calibration->predictions, 3) << "of NaN there is none";
  EXPECT_NEAR(record.scores.calibration->brier.value, (0.0625 + 0.0625 + 0.75) / 3, 1e-12);
}

/// As a stream does it: forks that keep all in memory, merged by one that spills.
TEST(Scores, ChunksMergedInOrderChangeNoBit) {
  for (const char* name : {"classification", "multi_label"}) {
    Random random(5);
    std::vector<MadeSample> samples;
    for (int i = 0; i < 60; ++i) samples.push_back(made_sample(name, random));
    const auto task = make_task(name, facts_of(samples.front().reference), {.curves = true}).value();
    const ComparatorOptions options{.with_scores = true};
    const auto whole = task->comparator(options).value(), merged = task->comparator(options).value();
    auto chunk = task->comparator(options).value();
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const SampleOutputs sample{static_cast<std::int64_t>(i), &samples[i].truth, samples[i].reference,
                                 samples[i].variant};
      ASSERT_TRUE(whole->add(sample));
      ASSERT_TRUE(chunk->add(sample));
      if (i % 7 != 6 && i + 1 < samples.size()) continue;
      ASSERT_TRUE(merged->merge(chunk->state().value()));
      chunk = task->comparator(options).value();
    }
    const DecisionRecord record = whole->result().value();
    EXPECT_NE(record.scores.kind, CurveKind::none) << name;
    EXPECT_EQ(record, merged->result().value()) << name;
    EXPECT_FALSE(task->comparator({}).value()->merge(whole->state().value())) << "asked otherwise";
  }
}

}  // namespace
}  // namespace culprit
