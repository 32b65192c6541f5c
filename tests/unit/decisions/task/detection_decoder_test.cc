#include "task/detection_decoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/not_numbers.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;
using Floats = std::vector<float>;
using Outputs = std::vector<NamedTensor>;

DetectorSpec preset(const std::string& name) {
  for (const DetectorSpec& spec : preset_detectors())
    if (spec.name == name) return spec;
  return {};
}

void expect_box(const Box& box, const Box& wanted) {
  EXPECT_NEAR(box.x0, wanted.x0, 1e-4);
  EXPECT_NEAR(box.y0, wanted.y0, 1e-4);
  EXPECT_NEAR(box.x1, wanted.x1, 1e-4);
  EXPECT_NEAR(box.y1, wanted.y1, 1e-4);
}

std::string refusal(const DetectorSpec& spec, const Outputs& outputs) {
  const auto found = decode_detections(spec, outputs);
  return found ? "" : found.error().message;
}

TEST(Decoder, Ultraface) {
  const Outputs outputs{{"scores", Tensor::of<float>({1, 4, 2}, {0.1F, 0.9F, 0.2F, 0.8F, 0.9F, 0.1F, 0.05F, 0.95F})},
                        {"boxes", Tensor::of<float>({1, 4, 4}, {0, 0, 0.5F, 0.5F, 0.01F, 0, 0.5F, 0.5F, 0, 0, 1, 1,
                                                                0.6F, 0.6F, 0.9F, 0.8F})}};
  const auto found = decode_detections(preset("ultraface"), outputs, {320, 240}).value();
  ASSERT_EQ(found.size(), 2U) << "one of two that overlap, none of the background";
  EXPECT_NEAR(found[0].score, 0.95, 1e-6);
  EXPECT_EQ(found[0].label, 1);
  expect_box(found[0].box, {192, 144, 288, 192});
  expect_box(found[1].box, {0, 0, 160, 120});
}

TEST(Decoder, BoxesScoresClassesInAnyOrder) {
  const Outputs outputs{{"labels", Tensor::of<std::int64_t>({1, 3}, {5, 6, 7})},
                        {"scores", Tensor::of<float>({1, 3}, {0.9F, 0.4F, 0.6F})},
                        {"bboxes", Tensor::of<float>({1, 3, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0.1F, 0.2F, 0.3F, 0.4F})}};
  const auto found = decode_detections(preset("ssd"), outputs, {100, 200}).value();
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].label, 5);
  EXPECT_EQ(found[1].label, 7);
  expect_box(found[1].box, {10, 40, 30, 80});
  expect_box(decode_detections(preset("ssd"), outputs).value()[1].box, {0.1, 0.2, 0.3, 0.4});
}

TEST(Decoder, TensorFlowsBoxesHaveYFirst) {
  const Outputs outputs{{"num_detections:0", Tensor::of<float>({1}, {1})},
                        {"detection_boxes:0", Tensor::of<float>({1, 1, 4}, {0.1F, 0.2F, 0.3F, 0.4F})},
                        {"detection_scores:0", Tensor::of<float>({1, 1}, {0.9F})},
                        {"detection_classes:0", Tensor::of<float>({1, 1}, {17})}};
  const auto found = decode_detections(preset("tensorflow"), outputs, {100, 100}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 17);
  expect_box(found[0].box, {20, 10, 40, 30});
}

TEST(Decoder, Detr) {
  // Softmax of (0, 4, 0) gives the second class 0.965; of the others one is none, and one is unsure.
  const Outputs outputs{
      {"logits", Tensor::of<float>({1, 3, 3}, {0, 4, 0, 0, 0, 5, 1, 1, 1})},
      {"pred_boxes", Tensor::of<float>({1, 3, 4}, {0.5F, 0.5F, 0.2F, 0.4F, 0.5F, 0.5F, 1, 1, 0.5F, 0.5F, 1, 1})}};
  const auto found = decode_detections(preset("detr"), outputs, {100, 200}).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 1);
  EXPECT_NEAR(found[0].score, std::exp(4) / (std::exp(4) + 2), 1e-6);
  expect_box(found[0].box, {40, 60, 60, 140});
}

TEST(Decoder, RowsThatTheModelHasSortedOut) {
  const Outputs outputs{
      {"output0", Tensor::of<float>({1, 3, 6}, {1, 2, 3, 4, 0.9F, 7, 5, 6, 7, 8, 0.2F, 1, 5, 6, 7, 8, nan_f, 1})}};
  const auto found = decode_detections(preset("yolov10"), outputs).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 7);
  EXPECT_NEAR(found[0].score, 0.9, 1e-6);
  expect_box(found[0].box, {1, 2, 3, 4});
}

TEST(Decoder, NoBoxIsNoMistake) {
  const Outputs outputs{{"boxes", Tensor::of<float>({0, 4}, {})},
                        {"labels", Tensor::of<std::int64_t>({0}, {})},
                        {"scores", Tensor::of<float>({0}, {})}};
  EXPECT_TRUE(decode_detections(preset("lists"), outputs).value().empty());
}

/// Rows of center, size, objectness and classes.
TEST(Decoder, YoloV5) {
  const Outputs outputs{{"output0", Tensor::of<float>({1, 3, 7}, {50, 40, 20, 10, 0.9F, 0.2F, 0.8F,  //
                                                                  10, 10, 4,  4,  0.2F, 0.9F, 0.1F,  //
                                                                  51, 40, 20, 10, 0.8F, 0.1F, 0.9F})}};
  const auto found = decode_detections(preset("yolov5"), outputs).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 1);
  EXPECT_NEAR(found[0].score, 0.72, 1e-6);
}

TEST(Decoder, YoloV8) {
  Floats numbers{50, 10, 40, 10, 20, 4, 10, 4, 0.1F, 0.2F, 0.6F, 0.1F, 0.3F, nan_f};  // 4 + 3 fields of 2 boxes
  const Outputs outputs{{"output0", Tensor::of<float>({1, 7, 2}, numbers)}};
  const auto found = decode_detections(preset("yolov8"), outputs).value();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].label, 1);
  EXPECT_NEAR(found[0].score, 0.6, 1e-6);
  expect_box(found[0].box, {40, 35, 60, 45});
}

/// One cell of each layer is filled: cell (x 1, y 0) of the anchor `anchor` of the layer with stride 16.
TEST(Decoder, YoloV3HasTheSameBoxesInBothLayouts) {
  const auto low = -20.0F;
  const Floats cell{0.5F, -0.5F, 0.2F, -0.3F, 3, -1, 2};
  Floats flat(3 * 7 * 2 * 2, low), deep = flat;
  for (std::size_t field = 0; field < 7; ++field) {
    flat[(1 * 7 + field) * 4 + 1] = cell[field];
    deep[(1 * 4 + 1) * 7 + field] = cell[field];
  }
  const Tensor empty1 = Tensor::of<float>({1, 21, 1, 1}, Floats(21, low)),
               empty4 = Tensor::of<float>({1, 21, 4, 4}, Floats(21 * 16, low));
  const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
  for (const Tensor& layer : {Tensor::of<float>({1, 21, 2, 2}, flat), Tensor::of<float>({1, 3, 2, 2, 7}, deep)}) {
    const auto found = decode_detections(preset("yolov3"), Outputs{{"c", empty4}, {"a", empty1}, {"b", layer}}).value();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].label, 1);
    EXPECT_NEAR(found[0].score, sigmoid(3) * sigmoid(2), 1e-6);
    const double x = (sigmoid(0.5) + 1) * 16, y = sigmoid(-0.5) * 16, w = 62 * std::exp(0.2), h = 45 * std::exp(-0.3);
    expect_box(found[0].box, {x - w / 2, y - h / 2, x + w / 2, y + h / 2});
  }
}

TEST(Decoder, OutputsOfAnotherKindAreRefusedWithWhatWasWanted) {
  const Outputs picture{{"out", Tensor::of<float>({1, 3, 2, 2}, Floats(12))}};
  for (const DetectorSpec& spec : preset_detectors())
    EXPECT_THAT(refusal(spec, picture), ::testing::AllOf(HasSubstr("wants"), HasSubstr("'out' float32[1,3,2,2]")))
        << spec.name;
  EXPECT_THAT(refusal(preset("ultraface"), {}),
              HasSubstr("boxes [1,N,4] and scores [1,N,C] of one image; there are: no outputs"));
}

TEST(Decoder, SizesAreNotBelieved) {
  const Outputs other{{"scores", Tensor::of<float>({1, 3, 2}, Floats(6, 1))},
                      {"boxes", Tensor::of<float>({1, 2, 4}, Floats(8))}};
  EXPECT_THAT(refusal(preset("ultraface"), other), HasSubstr("as many scores as boxes"));
  const Outputs lists{{"scores", Tensor::of<float>({3}, Floats(3, 1))},
                      {"boxes", Tensor::of<float>({3, 4}, Floats(12))},
                      {"labels", Tensor::of<float>({2}, Floats(2))}};
  EXPECT_THAT(refusal(preset("lists"), lists), HasSubstr("as many scores as boxes"));
  const Outputs batch{{"scores", Tensor::of<float>({2, 1, 2}, Floats(4))},
                      {"boxes", Tensor::of<float>({2, 1, 4}, Floats(8))}};
  EXPECT_THAT(refusal(preset("ultraface"), batch), HasSubstr("of one image"));
  const Outputs narrow{{"out", Tensor::of<float>({1, 9, 5}, Floats(45, 1))}};
  EXPECT_THAT(refusal(preset("yolov5"), narrow), HasSubstr("[1,N,5+C]"));
}

TEST(Decoder, ClassesThatAreNoNumbersAreOneClassOfTheirOwn) {
  const Outputs outputs{{"labels", Tensor::of<float>({3}, {nan_f, -4, 1e30F})},
                        {"scores", Tensor::of<float>({3}, {1, 1, 1})},
                        {"boxes", Tensor::of<float>({3, 4}, Floats(12))}};
  const auto found = decode_detections(preset("lists"), outputs).value();
  EXPECT_EQ(found.size(), 3U);
  for (const Detection& one : found) EXPECT_EQ(one.label, -1);
}

}  // namespace
}  // namespace culprit
