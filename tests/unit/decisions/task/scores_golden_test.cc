// Curves of scores and calibration, against scikit-learn.
#include <gtest/gtest.h>

#include "support/golden.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using nlohmann::json;

/// The variant gives the scores; the reference is sure of class 0.
DecisionRecord scored(const std::string& task, const json& one, const TaskSettings& settings = {}) {
  std::vector<MadeSample> samples;
  for (std::size_t i = 0; i < one["scores"].size(); ++i) {
    const auto scores = one["scores"][i].get<Floats>();
    Floats sure(scores.size());
    sure[0] = 1;
    const Shape shape{1, static_cast<std::int64_t>(scores.size())};
    MadeSample& sample = samples.emplace_back();
    sample = {output_of("prob", shape, sure), output_of("prob", shape, scores), {}};
    if (one["truth"][i].is_array())
      sample.truth.classes = one["truth"][i].get<std::vector<std::int64_t>>();
    else
      sample.truth.label = std::to_string(one["truth"][i].get<int>());
  }
  return compared(task, samples, settings, {.with_scores = true});
}

void expect_points(const json& wanted, const std::vector<double>& points) {
  ASSERT_EQ(points.size(), curve_points);
  for (std::size_t i = 0; i < curve_points; ++i) EXPECT_NEAR(points[i], wanted[i].get<double>(), golden_error) << i;
}

void expect_curve(const json& one, const ScoreCurve& curve) {
  expect_points(one["hit_rate"], curve.hit_rate);
  expect_points(one["precision"], curve.precision);
}

double metric_of(const DecisionRecord& record, const char* name) {
  return record.variant_against_labels.at(name).value;
}

void expect_calibration(const json& one, const DecisionRecord& record) {
  const json& wanted = one["calibration"];
  ASSERT_TRUE(record.scores.calibration);
  const CalibrationRecord& its = *record.scores.calibration;
  EXPECT_NEAR(its.ece, wanted["ece"].get<double>(), golden_error);
  EXPECT_NEAR(its.mce, wanted["mce"].get<double>(), golden_error);
  EXPECT_NEAR(its.brier.value, one["brier"].get<double>(), golden_error);
  EXPECT_LT(its.brier.low, its.brier.value);
  EXPECT_GT(its.brier.high, its.brier.value);
  ASSERT_EQ(its.bins.size(), 15U);
  std::size_t filled = 0;
  for (std::size_t i = 0; i < its.bins.size(); ++i) {
    EXPECT_EQ(its.bins[i].count, wanted["count"][i].get<std::int64_t>()) << i;
    if (its.bins[i].count == 0) continue;
    EXPECT_NEAR(its.bins[i].right, wanted["share"][filled].get<double>(), golden_error) << i;
    EXPECT_NEAR(its.bins[i].confidence, wanted["mean"][filled].get<double>(), golden_error) << i;
    ++filled;
  }
  EXPECT_EQ(filled, wanted["mean"].size());
}

TEST(ScoresGolden, TheCurveOfOneOfTwoClassesIsScikitLearns) {
  const json one = golden("curves", "binary");
  const DecisionRecord record = scored("classification", one);
  EXPECT_EQ(record.scores.kind, CurveKind::one_class);
  EXPECT_EQ(record.scores.curve_of, "1");
  EXPECT_NEAR(metric_of(record, "auc"), one["auc"].get<double>(), golden_error);
  EXPECT_NEAR(metric_of(record, "ap"), one["ap"].get<double>(), golden_error);
  EXPECT_LT(record.variant_against_labels.at("auc").low, one["auc"].get<double>());
  expect_curve(one, record.scores.curve);
  expect_points(one["precision_thresholds"], record.scores.curve.precision_thresholds);
  expect_calibration(one, record);
}

TEST(ScoresGolden, TheMeanOfEachClassAgainstTheRestIsScikitLearns) {
  const json one = golden("curves", "several");
  const DecisionRecord record = scored("classification", one, {.curves = true});
  EXPECT_EQ(record.scores.kind, CurveKind::macro);
  EXPECT_NEAR(metric_of(record, "auc_macro"), one["auc_macro"].get<double>(), golden_error);
  EXPECT_NEAR(metric_of(record, "ap_macro"), one["ap_macro"].get<double>(), golden_error);
  ASSERT_EQ(record.variant_by_class.classes.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    const auto& metrics = record.variant_by_class.classes[i].metrics;
    EXPECT_NEAR(metrics.at("auc"), one["auc"][i].get<double>(), golden_error);
    EXPECT_NEAR(metrics.at("ap"), one["ap"][i].get<double>(), golden_error);
  }
  expect_curve(one, record.scores.curve);
  EXPECT_TRUE(record.scores.curve.precision_thresholds.empty()) << "a mean of curves has none";
  expect_calibration(one, record);
}

TEST(ScoresGolden, AllClassesTogetherAreScikitLearns) {
  const json one = golden("curves", "sigmoids");
  const DecisionRecord record = scored("multi_label", one);
  EXPECT_EQ(record.scores.kind, CurveKind::micro);
  EXPECT_NEAR(metric_of(record, "auc_micro"), one["auc"].get<double>(), golden_error);
  EXPECT_NEAR(metric_of(record, "ap_micro"), one["ap"].get<double>(), golden_error);
  EXPECT_NEAR(metric_of(record, "auc_macro"), one["auc_macro"].get<double>(), golden_error);
  expect_curve(one, record.scores.curve);
  expect_calibration(one, record);
}

}  // namespace
}  // namespace culprit
