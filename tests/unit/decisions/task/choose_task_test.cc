#include "task/choose_task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "unit/decisions/task/task_outputs.h"

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

TEST(ChooseTask, OutputsOfSeveralDetectorsAreNoneForSure) {
  const auto reason = [](const Facts& outputs, const TaskSettings& settings = {}) {
    const TaskChoice choice = choose_task(outputs, {}, settings);
    return (choice.is_sure ? "sure: " : "") + choice.reason;
  };
  const Facts detr{{"logits", DType::f32, {1, 100, 92}}, {"pred_boxes", DType::f32, {1, 100, 4}}};
  EXPECT_THAT(reason(detr), HasSubstr("sure: task detection: the outputs are those of the detector 'detr'"));
  const Facts sigmoid{{"logits", DType::f32, {1, 300, 80}}, {"pred_boxes", DType::f32, {1, 300, 4}}};  // RT-DETR
  EXPECT_THAT(reason(sigmoid), HasSubstr("that has 92 classes, and 'logits' has 80"));
  const Facts yolov4{{"boxes", DType::f32, {1, 10647, 1, 4}}, {"confs", DType::f32, {1, 10647, 80}}};
  EXPECT_EQ(reason(yolov4).find("sure: "), std::string::npos) << reason(yolov4);
  EXPECT_THAT(reason({{"output0", DType::f32, {1, 2100, 6}}}), HasSubstr("or those of YOLOv8 that were turned round"));
  EXPECT_THAT(reason({{"output0", DType::f32, {1, 25200, 6}}}), HasSubstr("sure: "));
  const Facts rows{{"output0", DType::f32, {1, 6300, 7}}};  // YOLOv5 at 320 x 320, or a turned YOLOv8 at 640 x 480
  EXPECT_THAT(reason(rows, {.frame = {320, 320}}), HasSubstr("sure: "));
  EXPECT_EQ(reason(rows, {.frame = {640, 480}}).find("sure: "), std::string::npos);
}

TEST(ChooseTask, RowsOfSixNumbersTellWhatTheyAre) {
  const auto chosen_for = [](const Floats& rows) {
    const Outputs outputs = output_of("out", {1, 2, 6}, rows);
    const TaskChoice choice = choose_task(facts_of(outputs), outputs);
    return choice.is_sure ? choice.task->name() : "unsure";
  };
  EXPECT_EQ(chosen_for({1, 2, 3, 4, 0.9F, 7, 0, 0, 0, 0, 0, 0}), "detection");
  EXPECT_EQ(chosen_for({1, 2, 3, 4, 0.9F, 7.5F, 0, 0, 0, 0, 0, 0}), "unsure") << "a class is a whole number";
  EXPECT_EQ(chosen_for({1, 2, 3, 4, 5, 7, 0, 0, 0, 0, 0, 0}), "unsure") << "a score is a chance";
  EXPECT_EQ(chosen_for({3, 2, 1, 4, 0.9F, 7, 0, 0, 0, 0, 0, 0}), "unsure") << "a box turned inside out";
}

TEST(ChooseTask, ScoresAboveOneAreNone) {
  Floats columns(5 * 1200, 0.01F);
  for (std::size_t i = 0; i < 4 * 1200; ++i) columns[i] = 10;
  Outputs outputs = output_of("out", {1, 5, 1200}, columns);
  EXPECT_TRUE(choose_task(facts_of(outputs), outputs).is_sure);
  columns[5 * 1200 - 1] = 40;  // a point of a pose
  outputs = output_of("out", {1, 5, 1200}, columns);
  EXPECT_FALSE(choose_task(facts_of(outputs), outputs).is_sure);
}

TEST(ChooseTask, RowsOfNumbersAreNoMask) {
  const auto refused = [](const Facts& outputs, const TaskSettings& settings = {}) {
    const auto task = make_task("segmentation", outputs, settings);
    return task ? "" : task.error().message;
  };
  const Facts lists{{"boxes", DType::f32, {5, 4}}, {"labels", DType::i64, {5}}, {"scores", DType::f32, {5}}};
  EXPECT_THAT(refused(lists), HasSubstr("segmentation wants"));
  EXPECT_THAT(refused(lists, {.threshold = 0.3}), HasSubstr("'boxes' float32[5,4]"));
  EXPECT_NE(refused({{"output0", DType::f32, {1, 25200, 85}}}), "");
  EXPECT_NE(refused({{"logits", DType::f32, {1, 100, 92}}, {"pred_boxes", DType::f32, {1, 100, 4}}}), "");
  EXPECT_NE(refused({{"y", DType::f32, {16, 1000}}}), "") << "scores of a batch";
  EXPECT_EQ(refused({{"y", DType::f32, {1, 320, 320}}}), "");
  EXPECT_EQ(refused({{"y", DType::i64, {320, 320}}}), "");
  EXPECT_EQ(refused({{"boxes", DType::f32, {5, 4}}, {"masks", DType::f32, {5, 1, 28, 28}}}), "");
}

TEST(ChooseTask, WhatASampleGivesHelps) {
  const Outputs shares = output_of("out", {1, 4}, {0.25F, 0.25F, 0.4F, 0.1F});
  EXPECT_EQ(choose_task(facts_of(shares), shares).task->name(), "classification");
  const Outputs unit = output_of("out", {1, 16}, Floats(16, -0.25F));
  EXPECT_EQ(choose_task(facts_of(unit), unit).task->name(), "embedding");
  const Outputs mask = output_of("out", {1, 1, 8, 8}, Floats(64, 0.001F));
  EXPECT_FALSE(choose_task(facts_of(mask), mask).is_sure) << "a mask, or a dark image";
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
