#include "task/label_scores.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// As scikit-learn's classifiers give them: the label, and a map of chances by class.
MadeSample of_classes(std::vector<std::int64_t> keys, const Floats& chances, const std::string& truth) {
  const auto count = static_cast<std::int64_t>(keys.size());
  const Outputs outputs{{"output_label", Tensor::of<std::int64_t>({1}, {keys[0]})},
                        {"output_probability", Tensor::of<std::int64_t>({count}, keys), ".keys"},
                        {"output_probability", Tensor::of<float>({1, count}, chances), ".values"}};
  MadeSample sample{outputs, outputs, {}};
  sample.truth.label = truth;
  return sample;
}

TEST(LabelScores, TheKeysOfAMapAreTheClasses) {
  const DecisionRecord record = compared(
      "classification", {of_classes({1, 2, 3}, {0.1F, 0.2F, 0.7F}, "3"), of_classes({1, 2, 3}, {0.1F, 0.2F, 0.7F}, "2"),
                         of_classes({1, 2, 3}, {0.7F, 0.2F, 0.1F}, "0")});
  EXPECT_EQ(record.labelled, 3);
  EXPECT_NEAR(record.reference_against_labels.at("top1").value, 1.0 / 3, 1e-9);
  EXPECT_EQ(record.labels_outside, 1) << "0 is no key";
}

TEST(LabelScores, WholeNumbersAreScores) {
  const auto sample = [](std::vector<std::uint8_t> scores, const std::string& truth) {
    const Outputs outputs{{"y", Tensor::of<std::uint8_t>({1, 3}, scores)}};
    MadeSample made{outputs, outputs, {}};
    made.truth.label = truth;
    return made;
  };
  const DecisionRecord record = compared("classification", {sample({3, 200, 7}, "1"), sample({3, 200, 7}, "2")});
  EXPECT_EQ(record.reference_against_labels.at("top1").value, 0.5);
}

TEST(LabelScores, ALabelWithoutScoresHasNoTopFive) {
  const auto sample = [](std::int64_t reference, std::int64_t variant, const std::string& truth) {
    MadeSample made{{{"label", Tensor::of<std::int64_t>({1}, {reference})}},
                    {{"label", Tensor::of<std::int64_t>({1}, {variant})}},
                    {}};
    made.truth.label = truth;
    return made;
  };
  const DecisionRecord record = compared("classification", {sample(7, 7, "7"), sample(7, 8, "7")});
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.worst[0].variant, "label 8");
  EXPECT_EQ(record.metrics.at("top1_agreement").value, 0.5);
  EXPECT_FALSE(record.metrics.contains("top5_agreement"));
  EXPECT_EQ(record.reference_against_labels.at("top1").value, 1);
  EXPECT_EQ(record.variant_against_labels.at("top1").value, 0.5);
  EXPECT_FALSE(record.variant_against_labels.contains("top5"));
}

TEST(LabelScores, OneChanceIsThatOfClassOne) {
  const auto sample = [](float reference, float variant, const std::string& truth) {
    MadeSample made{output_of("prob", {1, 1}, {reference}), output_of("prob", {1, 1}, {variant}), {}};
    made.truth.label = truth;
    return made;
  };
  const DecisionRecord record = compared("classification", {sample(0.7F, 0.4F, "1"), sample(0.2F, 0.3F, "0")});
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.reference_against_labels.at("top1").value, 1);
  EXPECT_NEAR(record.worst[0].margin, 0.4, 1e-6);
  const DecisionRecord logits = compared("classification", {sample(2, -2, "1")}, {.softmax = true});
  EXPECT_EQ(logits.changed, 1);
  const Outputs beyond = output_of("prob", {1, 1}, {3});
  const auto read = read_class_rows(*scores_among(facts_of(beyond), ""), beyond, false);
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().text(), HasSubstr("3, which is no chance between 0 and 1"));
}

TEST(LabelScores, FloatsComeBeforeWholeNumbersAndLabelsLast) {
  const std::vector<OutputFacts> facts{
      {"label", DType::i64, {1}}, {"counts", DType::i32, {1, 4}}, {"z", DType::f32, {1, 4}}};
  EXPECT_EQ(scores_among(facts, "")->at, 2U);
  EXPECT_EQ(scores_among(std::span(facts).first(2), "")->at, 1U);
  EXPECT_EQ(scores_among(std::span(facts).first(1), "")->form, ScoreForm::labels);
  EXPECT_EQ(scores_among(facts, "label")->at, 0U);
  EXPECT_FALSE(scores_among(std::vector<OutputFacts>{{"mask", DType::boolean, {1, 4}}}, ""));
}

TEST(AveragePrecisionOfLabels, LooksAtBoxesBelowTheLeastScore) {
  // Two boxes are there; the second is found with a score that is not shown.
  MadeSample sample{boxes_of({{{0, 0, 10, 10}, 1, 0.9}, {{50, 50, 60, 60}, 1, 0.1}}), {}, {}};
  sample.variant = sample.reference;
  sample.truth.boxes = std::vector<TruthBox>{{{0, 0, 10, 10}, 1}, {{50, 50, 60, 60}, 1}};
  DetectorSpec lists;
  lists.least_score = 0.5;
  const DecisionRecord record = compared("detection", {sample}, {.detector = lists});
  EXPECT_EQ(record.reference_against_labels.at("map_50").value, 1) << "over all boxes";
  EXPECT_EQ(record.reference_against_labels.at("recall_iou50").value, 0.5) << "of those that are shown";
}

TEST(AveragePrecisionOfLabels, HasAScoreOfItsOwnFromWhichTheRestCounts) {
  MadeSample sample{boxes_of({{{0, 0, 10, 10}, 1, 0.9}, {{50, 50, 60, 60}, 1, 0.1}}), {}, {}};
  sample.variant = sample.reference;
  sample.truth.boxes = std::vector<TruthBox>{{{0, 0, 10, 10}, 1}, {{50, 50, 60, 60}, 1}};
  DetectorSpec lists;
  lists.name = "lists";
  lists.least_score = 0.5;
  for (const auto& [score, recall] : {std::pair{0.05, 1.0}, {0.5, 0.5}, {0.95, 0.0}}) {
    const DecisionRecord record = compared("detection", {sample}, {.detector = lists, .score = score});
    EXPECT_EQ(record.reference_against_labels.at("recall_iou50").value, recall) << score;
    EXPECT_EQ(record.reference_against_labels.at("map_50").value, 1) << score;
  }
  const auto about = [&](const TaskSettings& settings) {
    return make_task("detection", facts_of(sample.reference), settings).value()->about();
  };
  const std::string of_labels = "; average precision and recall against labels look at all";
  EXPECT_THAT(about({.detector = lists}),
              ElementsAre("boxes with a score above 0.5 count (the detector 'lists')" + of_labels));
  lists.nms = 0.5;
  EXPECT_THAT(about({.detector = lists, .score = 0.25}),
              ElementsAre("boxes with a score above 0.25 count (--score)" + of_labels + " above 0.001"));
}

}  // namespace
}  // namespace culprit
