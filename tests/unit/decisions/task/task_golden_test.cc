// Whole tasks over several samples, against what the reference implementations say of all of them together.
#include <gtest/gtest.h>

#include <algorithm>

#include "support/golden.h"
#include "task/boxes.h"
#include "task/detection_decoder.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using nlohmann::json;

void expect_metrics(const json& wanted, const std::map<std::string, MetricRecord>& metrics) {
  EXPECT_FALSE(wanted.empty());
  for (const auto& [name, value] : wanted.items()) {
    ASSERT_EQ(metrics.count(name), 1U) << name;
    EXPECT_NEAR(metrics.at(name).value, value.get<double>(), golden_error) << name;
  }
}

/// Rows of both models as outputs of this shape.
std::vector<MadeSample> samples_of(const json& golden, const Shape& shape, const std::string& name = "out") {
  std::vector<MadeSample> samples;
  for (std::size_t i = 0; i < golden["a"].size(); ++i)
    samples.push_back({output_of(name, shape, golden["a"][i].get<Floats>()),
                       output_of(name, shape, golden["b"][i].get<Floats>()),
                       {}});
  return samples;
}

TEST(TaskGolden, ClassificationIsScipysAndScikitLearns) {
  const json one = golden("tasks", "classification");
  auto samples = samples_of(one, {1, 12});
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].truth.label = std::to_string(one["truth"][i].get<std::int64_t>());
  const DecisionRecord record = compared("classification", samples);
  expect_metrics(one["metrics"], record.metrics);
  expect_metrics(one["reference"], record.reference_against_labels);
  expect_metrics(one["variant"], record.variant_against_labels);
}

TEST(TaskGolden, MultiLabelIsScikitLearns) {
  const auto part = [](const char* key) { return golden("multi_label", key); };
  auto samples = samples_of({{"a", part("a")}, {"b", part("b")}}, {1, 7});
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].truth.classes = part("truth")[i].get<std::vector<std::int64_t>>();
  const DecisionRecord record = compared("multi_label", samples);
  expect_metrics(part("metrics"), record.metrics);
  expect_metrics(part("reference"), record.reference_against_labels);
  expect_metrics(part("variant"), record.variant_against_labels);
}

TEST(TaskGolden, ClassesOfMultiLabelAreScikitLearns) {
  const auto part = [](const char* key) { return golden("multi_label", key); };
  auto samples = samples_of({{"a", part("a")}, {"b", part("b")}}, {1, 7});
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].truth.classes = part("truth")[i].get<std::vector<std::int64_t>>();
  const MetricsByClass by_class = compared("multi_label", samples).variant_by_class;
  const json wanted = golden("curves", "multi_label_by_class");
  ASSERT_EQ(by_class.classes.size(), 7U);
  for (std::size_t i = 0; i < by_class.classes.size(); ++i) {
    EXPECT_EQ(by_class.classes[i].name, std::to_string(i));
    for (const char* metric : {"precision", "recall", "f1", "ap"})
      EXPECT_NEAR(by_class.classes[i].metrics.at(metric), wanted[metric][i].get<double>(), golden_error) << metric;
  }
}

std::vector<Detection> found_in(const json& rows) {
  std::vector<Detection> found;
  for (const json& row : rows) {
    const double x = row[1], y = row[2], width = row[3], height = row[4];
    found.push_back({{x, y, x + width, y + height}, row[0].get<std::int64_t>(), row[5].get<double>()});
  }
  return found;
}

/// All metrics of detection, with the boxes of the reference as what is there.
TEST(TaskGolden, DetectionIsPycocotools) {
  const json one = golden("tasks", "detection");
  std::vector<MadeSample> samples;
  for (const json& pair : one["pictures"]) {
    MadeSample sample{boxes_of(found_in(pair[0])), boxes_of(found_in(pair[1])), {}};
    sample.truth.boxes = as_truth(found_in(pair[0]));
    samples.push_back(std::move(sample));
  }
  TaskSettings settings;
  for (DetectorSpec& spec : preset_detectors())
    if (spec.name == "lists") settings.detector = std::move(spec);
  settings.detector->least_score = 0;
  const DecisionRecord record = compared("detection", samples, settings);
  EXPECT_EQ(record.metrics.size(), one["metrics"].size()) << "a metric without a reference";
  expect_metrics(one["metrics"], record.metrics);
  for (const auto& [name, metric] : record.variant_against_labels)
    EXPECT_NEAR(metric.value, one["metrics"][name].get<double>(), golden_error) << name;
  for (const auto& [name, metric] : record.reference_against_labels) EXPECT_EQ(metric.value, 1) << name;
}

TEST(TaskGolden, SuppressionIsOpenCvs) {
  for (const json& one : golden("tasks", "suppression")) {
    std::vector<double> kept;
    for (const Detection& box : suppress_non_maxima(found_in(one["boxes"]), one["limit"].get<double>()))
      kept.push_back(box.score);
    EXPECT_EQ(kept, one["kept"].get<std::vector<double>>()) << one["limit"];
    EXPECT_LT(kept.size(), one["boxes"].size());
  }
}

void expect_decoded(const DetectorSpec& spec, const Outputs& outputs, const json& wanted) {
  auto found = decode_detections(spec, outputs).value();
  sort_by_score(found);
  ASSERT_EQ(found.size(), wanted.size());
  EXPECT_GT(found.size(), 5U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i].label, wanted[i][0].get<std::int64_t>());
    const Box& box = found[i].box;
    const std::vector<double> numbers{box.x0, box.y0, box.x1, box.y1, found[i].score};
    for (std::size_t n = 0; n < numbers.size(); ++n)
      EXPECT_NEAR(numbers[n], wanted[i][n + 1].get<double>(), golden_error);
  }
}

TEST(TaskGolden, BoxesOfYoloAreNumpys) {
  const json one = golden("tasks", "decoders");
  DetectorSpec spec;
  spec.name = "yolo";
  spec.box = BoxForm::center_size;
  spec.least_score = one["least"];
  spec.form = DetectorForm::yolo_rows;
  expect_decoded(spec, output_of("rows", {1, 40, 8}, one["rows"].get<Floats>()), one["of_rows"]);
  spec.form = DetectorForm::yolo_columns;
  expect_decoded(spec, output_of("columns", {1, 7, 40}, one["columns"].get<Floats>()), one["of_columns"]);
  spec.form = DetectorForm::yolo_layers;
  Outputs layers;
  for (const json& layer : one["layers"]) {
    spec.strides.push_back(layer["stride"]);
    spec.anchors.push_back(layer["anchors"].get<Anchors>());
    layers.push_back(output_of("layer", layer["shape"].get<Shape>(), layer["values"].get<Floats>()).front());
  }
  expect_decoded(spec, layers, one["of_layers"]);
}

TEST(TaskGolden, SegmentationIsScikitLearns) {
  const json one = golden("tasks", "segmentation");
  auto samples = samples_of(one, {1, 4, 5, 6});
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i].truth.values = {
        {"truth", Tensor::of<std::int32_t>({5, 6}, one["truth"][i].get<std::vector<std::int32_t>>())}};
  const DecisionRecord record = compared("segmentation", samples);
  expect_metrics(one["metrics"], record.metrics);
  expect_metrics(one["reference"], record.reference_against_labels);
  expect_metrics(one["variant"], record.variant_against_labels);
}

TEST(TaskGolden, PictureIsScikitImages) {
  const json one = golden("tasks", "picture");
  expect_metrics(one["metrics"], compared("picture", samples_of(one, {1, 9, 11, 3})).metrics);
}

TEST(TaskGolden, EmbeddingAndTensorAreScikitLearnsAndNumpys) {
  const json one = golden("tasks", "embedding");
  expect_metrics(one["metrics"], compared("embedding", samples_of(one, {1, 8})).metrics);
  expect_metrics(one["as_tensor"], compared("tensor", samples_of(one, {1, 8})).metrics);
}

/// Numbers for each sample that are right, as a folder of samples says them.
std::vector<MadeSample> with_right(std::vector<MadeSample> samples, const json& truth, const Shape& shape) {
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const auto numbers = truth[i].get<Floats>();
    samples[i].truth.values = {{"out", Tensor::of<float>(shape, {numbers.begin(), numbers.end()})}};
  }
  return samples;
}

TEST(TaskGolden, WhatIsRightIsHeldAgainstNumbersAndPictures) {
  const json one = golden("tasks", "regression");
  const DecisionRecord numbers = compared("tensor", with_right(samples_of(one, {1, 3}), one["truth"], {1, 3}));
  EXPECT_EQ(numbers.labelled, 40);
  expect_metrics(one["reference"], numbers.reference_against_labels);
  expect_metrics(one["variant"], numbers.variant_against_labels);
  const json& shown = one["pictures"];
  const DecisionRecord pictures =
      compared("picture", with_right(samples_of(shown, {1, 9, 11, 3}), shown["truth"], {1, 9, 11, 3}));
  expect_metrics(shown["reference"], pictures.reference_against_labels);
  expect_metrics(shown["variant"], pictures.variant_against_labels);
}

TEST(Regression, WhatIsRightMustHaveTheSizeOfTheOutput) {
  std::vector<MadeSample> samples{{output_of("out", {1, 3}, {1, 2, 3}), output_of("out", {1, 3}, {1, 2, 4}), {}},
                                  {output_of("out", {1, 3}, {1, 2, 3}), output_of("out", {1, 3}, {1, 2, 3}), {}}};
  samples[0].truth.values = {{"out", Tensor::of<float>({2}, {1, 2})}};
  samples[1].truth.values = {{"another", Tensor::of<float>({3}, {5, 5, 5})}};
  const DecisionRecord record = compared("tensor", samples);
  EXPECT_EQ(record.labelled, 1) << "of one output the name does not count";
  EXPECT_DOUBLE_EQ(record.variant_against_labels.at("mae").value, 3);
  EXPECT_EQ(record.variant_against_labels.count("r2"), 0) << "what is right is one number throughout";
}

}  // namespace
}  // namespace culprit
