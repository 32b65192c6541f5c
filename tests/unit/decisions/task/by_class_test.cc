// What is measured of single classes: their names, how often they are there, and which of them are told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;

std::vector<std::string> names_in(const MetricsByClass& by_class) {
  std::vector<std::string> names;
  for (const ClassMetrics& one : by_class.classes) names.push_back(one.name);
  return names;
}

/// Two rows of two pixels. The model takes one pixel of class 1 for class 2.
TEST(ByClass, SegmentationTellsTheOverlapOfEachClass) {
  const auto mask = [](const std::vector<std::int64_t>& labels) {
    return Outputs{{"mask", Tensor::of<std::int64_t>({1, 2, 2}, labels)}};
  };
  MadeSample sample{mask({0, 0, 1, 1}), mask({0, 0, 1, 2}), {}};
  sample.truth.values = mask({0, 0, 1, 1});
  const DecisionRecord record = compared("segmentation", {sample}, {.class_names = {"sky", "road"}});
  EXPECT_THAT(names_in(record.variant_by_class), ElementsAre("sky", "road", "2"));
  EXPECT_EQ(record.variant_by_class.main, "iou");
  EXPECT_EQ(record.variant_by_class.classes[0].metrics.at("iou"), 1);
  EXPECT_EQ(record.variant_by_class.classes[1].metrics.at("iou"), 0.5);
  EXPECT_EQ(record.variant_by_class.classes[1].there, 2) << "in the labels, not in what the model decides";
  EXPECT_EQ(record.variant_by_class.classes[2].there, 0);
  EXPECT_THAT(names_in(record.reference_by_class), ElementsAre("sky", "road"));
  EXPECT_EQ(record.by_class.classes, record.variant_by_class.classes) << "the reference decides as the labels say";
}

TEST(ByClass, DetectionTellsThePrecisionOfClassesThatAreThere) {
  const std::vector<Detection> there{{{0, 0, 10, 10}, 0, 0.9}, {{50, 50, 60, 60}, 1, 0.8}};
  MadeSample sample{boxes_of(there), boxes_of({there[0], {{80, 80, 90, 90}, 2, 0.7}}), {}};
  sample.truth.boxes = as_truth(there);
  const DecisionRecord record = compared("detection", {sample}, {.class_names = {"cat", "dog"}});
  ASSERT_THAT(names_in(record.variant_by_class), ElementsAre("cat", "dog")) << "nobody says that a class 2 is there";
  EXPECT_EQ(record.variant_by_class.main, "ap_50_95");
  EXPECT_EQ(record.variant_by_class.classes[0].metrics.at("ap_50"), 1);
  EXPECT_EQ(record.variant_by_class.classes[1].metrics.at("ap_50"), 0);
  EXPECT_EQ(record.variant_by_class.classes[1].there, 1);
  EXPECT_EQ(record.reference_by_class.classes[1].metrics.at("ap_50_95"), 1);
  EXPECT_EQ(record.by_class.classes[1].metrics.at("ar"), 0);
}

/// Class 0 is right once and never chosen, class 1 is chosen once and never right.
TEST(ByClass, MultiLabelTellsClassesThatAreChosenOrRight) {
  const Outputs chances = output_of("prob", {1, 3}, {0.25F, 0.75F, 0.125F});
  MadeSample sample{chances, chances, {}};
  sample.truth.classes = {0};
  const MetricsByClass by_class = compared("multi_label", {sample}).variant_by_class;
  ASSERT_THAT(names_in(by_class), ElementsAre("0", "1"));
  EXPECT_EQ(by_class.classes[0].metrics, (std::map<std::string, double>{{"ap", 1}, {"f1", 0}, {"recall", 0}}));
  EXPECT_EQ(by_class.classes[1].metrics, (std::map<std::string, double>{{"f1", 0}, {"precision", 0}}));
}

}  // namespace
}  // namespace culprit
