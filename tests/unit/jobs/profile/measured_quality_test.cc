// What a profile takes from an evaluation of its rows.
#include "profile/measured_quality.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

EvaluatedModel decides(std::int64_t changed, double top1) {
  EvaluatedModel model;
  model.decisions.task = "classification";
  model.decisions.samples = 20;
  model.decisions.changed = changed;
  model.decisions.labelled = 20;
  model.decisions.variant_against_labels["top1"] = {top1, top1, top1};
  return model;
}

class TakeQuality : public ::testing::Test {
 protected:
  void SetUp() override {
    report_.baseline = 1;
    report_.entries.resize(3);
    evaluated_.task = "classification";
    evaluated_.task_reason = "as the command says";
    evaluated_.has_labels = true;
    evaluated_.data = {"20 images in shapes"};
    evaluated_.models = {decides(0, 0.9), decides(3, 0.8)};
  }

  EvaluationReport evaluated_;
  ProfileReport report_;
};

TEST_F(TakeQuality, EachRowGetsItsOwn) {
  take_quality(evaluated_, {1, 0}, report_);
  ASSERT_TRUE(report_.entries[0].quality && report_.entries[1].quality);
  EXPECT_EQ(report_.entries[0].quality->changed, 3);
  EXPECT_EQ(report_.entries[0].quality->variant_against_labels.at("top1").value, 0.8);
  EXPECT_EQ(report_.entries[1].quality->variant_against_labels.at("top1").value, 0.9);
  EXPECT_FALSE(report_.entries[2].quality) << "it did not run";
  EXPECT_THAT(report_.quality_about, ElementsAre("task classification: as the command says", "20 images in shapes"));
}

TEST_F(TakeQuality, WhatARowCannotDecideIsAWarningOfIt) {
  evaluated_.models[1].unfit = "it has other outputs";
  evaluated_.models[0].failures = 2;
  evaluated_.models[0].failed = {{7, "x.png", "division by zero"}};
  take_quality(evaluated_, {1, 2}, report_);
  EXPECT_FALSE(report_.entries[2].quality);
  ASSERT_THAT(report_.entries[2].warnings, SizeIs(1));
  EXPECT_EQ(report_.entries[2].warnings[0].code, "quality_not_measured");
  ASSERT_THAT(report_.entries[1].warnings, SizeIs(1));
  EXPECT_THAT(report_.entries[1].warnings[0].message, HasSubstr("2 samples"));
  EXPECT_THAT(report_.entries[1].warnings[0].message, HasSubstr("x.png: division by zero"));
  EXPECT_THAT(report_.entries[0].warnings, IsEmpty());
}

TEST_F(TakeQuality, SaysWhereThereIsNoTruthAndWhatWasLeftOut) {
  for (EvaluatedModel& model : evaluated_.models) model.decisions.labelled = 0;
  evaluated_.unreadable = 1;
  evaluated_.skipped = {{4, "cut.png", "it is cut short"}};
  take_quality(evaluated_, {1, 0}, report_);
  EXPECT_THAT(report_.quality_about, Contains(HasSubstr("takes none of them")));
  EXPECT_THAT(report_.quality_about,
              Contains(HasSubstr("1 sample could not be read, and is left out; the first: cut")));
  evaluated_.has_labels = false;
  take_quality(evaluated_, {1, 0}, report_);
  EXPECT_THAT(report_.quality_about, Contains(HasSubstr("no labels, so only agreement")));
}

}  // namespace
}  // namespace culprit
