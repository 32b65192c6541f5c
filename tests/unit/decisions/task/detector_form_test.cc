#include "task/detector_form.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;

std::string wrong(const std::string& text) {
  const auto spec = read_detector_spec(text, "mine.yaml");
  return spec ? "" : spec.error().message;
}

TEST(DetectorSpec, ThoseOfTheToolCanBeRead) {
  std::vector<std::string> names;
  for (const DetectorSpec& spec : preset_detectors()) names.push_back(spec.name);
  EXPECT_THAT(names, ::testing::ElementsAre("detr", "lists", "ssd", "tensorflow", "ultraface", "yolov10", "yolov3",
                                            "yolov5", "yolov8"));
}

TEST(DetectorSpec, TheLastClassMayBeNone) {
  const auto spec = read_detector_spec(
      "name: mine\nform: scored_boxes\nbox: corners\nsoftmax: true\nbackground: last\nusual_classes: 3\n", "mine.yaml");
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_TRUE(spec->is_softmax);
  EXPECT_EQ(spec->background, last_class);
  EXPECT_EQ(spec->usual_classes, 3);
}

TEST(DetectorSpec, AllThatCanStandInIt) {
  const auto spec = read_detector_spec(
      "name: mine\nabout: a word\nform: yolo_layers\nrelative: yes\nscore: 0.3\nnms: 0.5\nbackground: 2\nnumbering: "
      "from_1\n"
      "outputs: {boxes: [a, b]}\nlayers:\n  - stride: 16\n    anchors: [[1, 2], [3, 4]]\n  - {stride: 8, anchors: [[5, "
      "6], [7, 8.5]]}\n",
      "mine.yaml");
  ASSERT_TRUE(spec) << spec.error().text();
  EXPECT_EQ(spec->form, DetectorForm::yolo_layers);
  EXPECT_TRUE(spec->is_relative);
  EXPECT_EQ(spec->least_score, 0.3);
  EXPECT_EQ(spec->nms, 0.5);
  EXPECT_EQ(spec->background, 2);
  EXPECT_EQ(spec->numbering, ClassNumbering::from_1);
  EXPECT_THAT(spec->boxes, ::testing::ElementsAre("a", "b"));
  EXPECT_THAT(spec->strides, ::testing::ElementsAre(16, 8));
  EXPECT_EQ(spec->anchors[1][1].second, 8.5);
}

TEST(DetectorSpec, WhatIsWrongIsSaidWithItsLine) {
  EXPECT_THAT(wrong("name: x\nform: lists\nbox: corners\nscor: 1\n"),
              HasSubstr("mine.yaml: line 4: there is no key 'scor'; did you mean 'score'?"));
  EXPECT_THAT(wrong("name: x\nform: lists\nbox: corners\nzzzzzz: 1\n"), HasSubstr("there are name, about, form"));
  EXPECT_THAT(wrong("name: x\nform: list\n"),
              HasSubstr("line 2: 'form' is 'list', and must be one of lists, scored_boxes, yolo_layers"));
  EXPECT_THAT(wrong("name: x\nform: lists\n"), HasSubstr("'box' is '', and must be one of corners"));
  EXPECT_THAT(wrong("name: x\nform: yolo_rows\nscore: 2\n"),
              HasSubstr("line 3: 'score' must be a number between 0 and 1"));
  EXPECT_THAT(wrong("name: x\nform: yolo_rows\nscore: nan\n"), HasSubstr("line 3"));
  EXPECT_THAT(wrong("name: x\nform: yolo_rows\nbox: corners\n"), HasSubstr("center_size"));
  EXPECT_THAT(wrong("name: x\nform: yolo_layers\n"), HasSubstr("'layers' must be a list"));
  EXPECT_THAT(wrong("name: x\nform: yolo_layers\nlayers:\n  - stride: 8\n"), HasSubstr("'anchors' must be a list"));
  EXPECT_THAT(wrong("name: x\nform: yolo_layers\nlayers:\n  - {stride: 8, anchors: [[1, 2]]}\n  - {stride: 16, "
                    "anchors: [[1, 2]]}\n"),
              HasSubstr("line 5: the largest stride comes first"));
  EXPECT_THAT(wrong("name: x\nform: yolo_layers\nlayers:\n  - {stride: 8, anchors: [[1, 2, 3]]}\n"),
              HasSubstr("a width and a height"));
  EXPECT_THAT(wrong("name: x\nform: yolo_rows\nlayers: []\n"), HasSubstr("belong to the form"));
  EXPECT_THAT(wrong("name: x\nform: yolo_rows\nrelative: perhaps\n"), HasSubstr("true or false"));
  EXPECT_THAT(wrong("form: yolo_rows\n"), HasSubstr("'name'"));
  EXPECT_THAT(wrong("- a\n"), HasSubstr("here must stand keys and values, such as `name: ultraface`"));
  EXPECT_THAT(wrong("name: [\n"), HasSubstr("no YAML that makes sense"));
  EXPECT_THAT(wrong(""), HasSubstr("here must stand keys"));
}

}  // namespace
}  // namespace culprit
