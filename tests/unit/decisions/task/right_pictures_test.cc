// Outputs held against masks and pictures that are right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "task/decision_warnings.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

/// Two of four pixels are known, and one of these is right.
TEST(SegmentationTask, PixelsOfWhichTheTruthSaysNothingDoNotCount) {
  const Outputs found{{"mask", Tensor::of<std::int64_t>({1, 2, 2}, {1, 1, 0, 0})}};
  MadeSample sample{found, found, {}};
  sample.truth.values = {{"m.png", Tensor::of<std::int32_t>({1, 2, 2}, {-1, 1, 1, -1})}};
  const auto against = compared("segmentation", {sample}).reference_against_labels;
  EXPECT_EQ(against.at("pixel_accuracy").value, 0.5);
  EXPECT_EQ(against.at("miou").value, 0.25) << "class 0: 0 of 1, class 1: 1 of 2";
}

TEST(SegmentationTask, AMaskOfAnotherSizeIsReadUnderTheMiddlesOfThePixels) {
  const Outputs found{{"mask", Tensor::of<std::int64_t>({1, 2, 2}, {5, 7, 13, 15})}};
  std::vector<std::int32_t> classes(16);
  for (std::size_t i = 0; i < 16; ++i) classes[i] = static_cast<std::int32_t>(i);
  MadeSample sample{found, found, {}};
  sample.truth.values = {{"m.png", Tensor::of<std::int32_t>({1, 4, 4}, classes)}};
  EXPECT_EQ(compared("segmentation", {sample}).reference_against_labels.at("pixel_accuracy").value, 1);
}

TEST(SegmentationTask, ClassesThatTheOutputsHaveNotAreCounted) {
  const Outputs found = output_of("out", {1, 3, 2, 2}, Floats(12, 0));
  MadeSample sample{found, found, {}}, other = sample;
  sample.truth.values = {{"m.png", Tensor::of<std::int32_t>({1, 2, 2}, {0, 1, 2, 3})}};
  other.truth.values = {{"m.png", Tensor::of<std::int32_t>({1, 2, 2}, {0, 1, 2, -1})}};
  const DecisionRecord record = compared("segmentation", {sample, other});
  EXPECT_EQ(record.labels_outside, 1);
  ASSERT_EQ(label_warnings(record).size(), 1U);
  EXPECT_THAT(
      label_warnings(record)[0].message,
      HasSubstr("what is right of 1 of 2 samples has pixels of class 3 or more, and the outputs have 3 classes"));
}

TEST(PictureTask, WhatIsRightInAnotherSizeIsNoFigure) {
  const Outputs found = output_of("out", {1, 3, 8, 8}, Floats(192, 0.5F));
  const auto task = make_task("picture", facts_of(found), {}).value();
  const auto comparator = task->comparator({}).value();
  Truth truth;
  truth.values = output_of("t.png", {1, 3, 8, 9}, Floats(216, 0.5F));
  const auto added = comparator->add({0, &truth, found, found});
  ASSERT_FALSE(added);
  EXPECT_EQ(added.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(added.error().message, HasSubstr("what is right is 't.png' float32[1,3,8,9], and the output has 192"));
}

}  // namespace
}  // namespace culprit
