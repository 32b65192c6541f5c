#include "task/choose_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/task/task_outputs.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using Facts = std::vector<OutputFacts>;

std::string chosen(const Facts& outputs) {
  const TaskChoice choice = choose_task(outputs);
  return choice.is_sure ? choice.task->name() : "unsure: " + choice.task->name();
}

TEST(ChooseTask, TheOutputsOfRealModels) {
  EXPECT_EQ(chosen({{"Plus214_Output_0", DType::f32, {1, 10}}}), "classification");         // mnist
  EXPECT_EQ(chosen({{"softmaxout_1", DType::f16, {1, 1000, 1, 1}}}), "classification");     // squeezenet
  EXPECT_EQ(chosen({{"resnetv24_dense0_fwd", DType::f32, {-1, 1000}}}), "classification");  // resnet
  EXPECT_EQ(chosen({{"output1", DType::f32, {1, 3, 224, 224}}}), "picture");                // candy
  EXPECT_EQ(chosen({{"output", DType::f32, {-1, 1, 672, 672}}}), "picture");                // super-resolution
  EXPECT_EQ(chosen({{"scores", DType::f32, {1, 4420, 2}}, {"boxes", DType::f32, {1, 4420, 4}}}), "detection");
  EXPECT_EQ(chosen({{"output0", DType::f32, {1, 84, 8400}}}), "detection");   // yolov8
  EXPECT_EQ(chosen({{"output0", DType::f32, {1, 25200, 85}}}), "detection");  // yolov5
  EXPECT_EQ(
      chosen({{"bboxes", DType::f32, {1, -1, 4}}, {"labels", DType::i64, {1, -1}}, {"scores", DType::f32, {1, -1}}}),
      "detection");                                                             // ssd
  EXPECT_EQ(chosen({{"out", DType::f32, {1, 21, 520, 520}}}), "segmentation");  // fcn
  EXPECT_EQ(chosen({{"sentence_embedding", DType::f32, {1, 384}}}), "embedding");
  EXPECT_EQ(chosen({{"last_hidden_state", DType::f32, {1, -1, 768}}}), "embedding");
}

TEST(ChooseTask, WhoIsUnsureSaysSoAndTakesPlainNumbers) {
  const TaskChoice choice = choose_task(Facts{{"out", DType::f32, {1, 512}}});
  EXPECT_FALSE(choice.is_sure);
  EXPECT_EQ(choice.task->name(), "tensor");
  EXPECT_THAT(choice.reason, HasSubstr("it may be classification"));
  EXPECT_THAT(choice.reason, HasSubstr("or embedding"));
  EXPECT_THAT(choice.reason, HasSubstr("--task NAME"));
  const TaskChoice none = choose_task(Facts{{"text", DType::string, {1}}});
  EXPECT_EQ(none.task->name(), "tensor");
  EXPECT_THAT(none.reason, HasSubstr("no task fits"));
  EXPECT_FALSE(choose_task(Facts{}).is_sure);
}

TEST(ChooseTask, WhatASampleGivesHelps) {
  const Outputs shares = output_of("out", {1, 4}, {0.25F, 0.25F, 0.4F, 0.1F});
  EXPECT_EQ(choose_task(facts_of(shares), shares).task->name(), "classification");
  const Outputs unit = output_of("out", {1, 16}, Floats(16, -0.25F));
  EXPECT_EQ(choose_task(facts_of(unit), unit).task->name(), "embedding");
  const Outputs mask = output_of("out", {1, 1, 8, 8}, Floats(64, 0.001F));
  EXPECT_FALSE(choose_task(facts_of(mask), mask).is_sure) << "a mask, or a dark picture";
}

TEST(ChooseTask, ChancesOfPixelsAreSegments) {
  Floats map(64, 0.001F);
  map[9] = map[10] = 0.99F;
  const auto choice = [](const Outputs& outputs) { return choose_task(facts_of(outputs), outputs); };
  EXPECT_EQ(choice(output_of("out", {1, 1, 8, 8}, map)).task->name(), "segmentation");
  EXPECT_THAT(choice(output_of("out", {1, 1, 8, 8}, map)).reason, HasSubstr("what is above 0.5 counts"));
  const Floats nothing(64, 0.001F);  // a text detector on a picture without text
  EXPECT_EQ(choice(output_of("sigmoid_0.tmp_0", {1, 1, 8, 8}, nothing)).task->name(), "segmentation");
  EXPECT_NE(choice(output_of("out", {1, 8, 8}, map)).task->name(), "segmentation") << "rows of chances: notes, letters";
  map[11] = 3;
  EXPECT_NE(choice(output_of("out", {1, 1, 8, 8}, map)).task->name(), "segmentation") << "no chance";
}

TEST(ChooseTask, ATaskThatDoesNotFitSaysWhatItWanted) {
  const Facts text{{"text", DType::string, {1}}};
  for (const std::string& name : task_names()) {
    const auto task = make_task(name, text);
    if (name == "tensor") continue;
    ASSERT_FALSE(task.has_value()) << name;
    EXPECT_THAT(task.error().message, HasSubstr(name + " wants"));
    EXPECT_THAT(task.error().message, HasSubstr("'text' string[1]"));
  }
}

TEST(ChooseTask, NamesThatAreNone) {
  const auto task = make_task("clasification", Facts{});
  ASSERT_FALSE(task.has_value());
  EXPECT_EQ(task.error().kind, ErrorKind::usage);
  EXPECT_THAT(task.error().text(), HasSubstr("did you mean 'classification'?"));
}

TEST(ChooseTask, AnOutputThatWasAskedForIsTaken) {
  const Facts two{{"prob", DType::f32, {1, 10}}, {"aux", DType::f32, {1, 5}}};
  EXPECT_TRUE(make_task("classification", two, {.output = "aux"}).has_value());
  EXPECT_FALSE(make_task("classification", two, {.output = "other"}).has_value());
}

}  // namespace
}  // namespace culprit
