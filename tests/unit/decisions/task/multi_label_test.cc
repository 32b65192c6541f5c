// Sets of classes: what is chosen, what has changed, and what NaN and logits are.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

MadeSample chances(const Floats& reference, const Floats& variant) {
  const auto count = static_cast<std::int64_t>(reference.size());
  return {output_of("prob", {1, count}, reference), output_of("prob", {1, count}, variant), {}};
}

TEST(MultiLabelTask, AClassThatOneAloneChoosesIsAChange) {
  const DecisionRecord record = compared("multi_label", {chances({0.75F, 0.25F, 1}, {0.75F, 0.125F, 0.625F}),
                                                         chances({0.75F, 0.125F, 1}, {0.25F, 0.75F, 1})});
  EXPECT_EQ(record.changed, 1);
  ASSERT_EQ(record.worst.size(), 1U);
  EXPECT_EQ(record.worst[0].margin, 0.375) << "class 1 was at 0.125, further from 0.5 than class 0";
  EXPECT_EQ(record.worst[0].reference, "labels 0|2");
  EXPECT_EQ(record.worst[0].variant, "labels 1|2");
  EXPECT_EQ(record.metrics.at("exact_match").value, 0.5);
  EXPECT_EQ(record.metrics.at("f1_micro").value, 0.75) << "3 of 4, both ways";
}

TEST(MultiLabelTask, ACopyIsPerfect) {
  const DecisionRecord record = compared("multi_label", {chances({0.75F, 0.25F}, {0.75F, 0.25F})});
  for (const auto& [name, metric] : record.metrics) EXPECT_EQ(metric.value, 1) << name;
  const DecisionRecord none = compared("multi_label", {chances({0.25F, 0.25F}, {0.25F, 0.25F})});
  EXPECT_EQ(none.metrics.at("f1_macro").value, 1) << "neither chooses any";
  EXPECT_FALSE(none.metrics.contains("map")) << "no class is there";
}

TEST(MultiLabelTask, NaNIsNoDecision) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const DecisionRecord lost = compared("multi_label", {chances({0.75F, 0.25F}, {0.75F, nan})});
  EXPECT_EQ(lost.changed, 1);
  EXPECT_TRUE(std::isinf(lost.worst[0].margin));
  EXPECT_EQ(lost.worst[0].variant, "no labels (NaN)");
  const DecisionRecord both = compared("multi_label", {chances({nan, 0.25F}, {0.75F, nan})});
  EXPECT_EQ(both.changed, 0);
  EXPECT_EQ(both.undecided, 1);
}

TEST(MultiLabelTask, LogitsNeedAThreshold) {
  const Outputs logits = output_of("y", {1, 3}, {3, -2, 0.5F});
  const auto decided = [&](const TaskSettings& settings) {
    return make_task("multi_label", facts_of(logits), settings).value()->decide(logits);
  };
  ASSERT_FALSE(decided({}));
  EXPECT_THAT(decided({}).error().text(), HasSubstr("'y' gives 3, which is no chance between 0 and 1"));
  const auto task =
      make_task("multi_label", facts_of(logits), {.class_names = {"ant", "bee", "cat"}, .threshold = 0}).value();
  Truth truth;
  truth.classes = {0, 1};
  const ToldDecision told = task->tell(**task->decide(logits), &truth);
  EXPECT_EQ(told.words, "labels ant|cat");
  EXPECT_EQ(told.truth, "ant|bee");
  EXPECT_EQ(told.is_right, false);
  EXPECT_EQ(told.best[0].name, "ant");
}

TEST(MultiLabelTask, LabelsOfNoClassAreCountedAndALabelAloneIsASetOfOne) {
  MadeSample outside = chances({0.75F, 0.25F}, {0.75F, 0.25F}), single = outside;
  outside.truth.classes = {0, 7};
  single.truth.label = "0";
  const DecisionRecord record = compared("multi_label", {outside, single});
  EXPECT_EQ(record.labelled, 2);
  EXPECT_EQ(record.labels_outside, 1);
  EXPECT_EQ(record.classes, 2);
  EXPECT_EQ(record.reference_against_labels.at("exact_match").value, 0.5);
  EXPECT_NEAR(record.reference_against_labels.at("f1_micro").value, 0.8, 1e-12);
}

}  // namespace
}  // namespace culprit
