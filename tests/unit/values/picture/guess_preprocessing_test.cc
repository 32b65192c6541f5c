#include "picture/guess_preprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace culprit {
namespace {

using ::testing::HasSubstr;

InputFacts facts(std::string name, Shape shape, std::vector<NamedShape> outputs = {{"prob", {1, 1000}}}) {
  return {{std::move(name), std::move(shape)}, DType::f32, std::move(outputs), {}};
}

GuessedPreprocessing guess(const InputFacts& model) {
  auto guessed = guess_preprocessing(model);
  EXPECT_TRUE(guessed) << guessed.error().text();
  return guessed ? *guessed : GuessedPreprocessing{};
}

TEST(GuessPreprocessing, KnowsTheNetsOfTheWorld) {
  EXPECT_EQ(guess(facts("data_0", {1, 3, 224, 224})).preset, "torchvision");
  EXPECT_EQ(guess(facts("x", {-1, 3, 299, 299})).preset, "torchvision");
  InputFacts of_caffe = facts("data_0", {1, 3, 224, 224});
  of_caffe.producer = "onnx-caffe2";
  EXPECT_EQ(guess(of_caffe).preset, "caffe");
  EXPECT_EQ(guess(facts("Input3", {1, 1, 28, 28})).preset, "mnist");
  EXPECT_EQ(guess(facts("images", {1, 3, 640, 640}, {{"output0", {1, 84, 8400}}})).preset, "yolo");
  EXPECT_EQ(guess(facts("input", {1, 3, 240, 320}, {{"scores", {1, 4420, 2}}, {"boxes", {1, 4420, 4}}})).preset,
            "ultraface");
  EXPECT_EQ(guess(facts("inputImage", {-1, 3, 720, 720}, {{"outputImage", {-1, 3, 720, 720}}})).preset, "raw");
  EXPECT_EQ(guess(facts("input_1", {-1, 224, 224, 3})).preset, "tf");
  EXPECT_EQ(guess(facts("x", {-1, 3, -1, -1}, {{"sigmoid_0.tmp_0", {-1, 1, -1, -1}}})).preset, "rapidocr");
  EXPECT_FALSE(guess_preprocessing(facts("x", {-1, 3, -1, -1}, {{"depth", {-1, 1, -1, -1}}})));
  InputFacts bytes = facts("image_tensor:0", {1, -1, -1, 3});
  bytes.type = DType::u8;
  EXPECT_EQ(guess(bytes).preset, "raw");
  EXPECT_TRUE(guess(bytes).preprocessing.steps.empty());
}

TEST(GuessPreprocessing, SaysWhatItAssumesAndWhy) {
  EXPECT_EQ(
      guess(facts("data_0", {1, 3, 224, 224})).why,
      "the input 'data_0' [1,3,224,224] is taken for one of `torchvision` (nchw): three channels of 224 x 224, as nets "
      "for ImageNet have");
}

TEST(GuessPreprocessing, MeansTellTheOrderOfColors) {
  InputFacts candy = facts("inputImage", {-1, 3, 720, 720}, {{"outputImage", {-1, 3, 720, 720}}});
  EXPECT_EQ(guess(candy).preprocessing.color, ColorOrder::rgb);
  candy.added_first = {-103.939, -116.779, -123.68};
  EXPECT_EQ(guess(candy).preprocessing.color, ColorOrder::bgr);
  EXPECT_THAT(guess(candy).why, HasSubstr("its ImageScaler takes away ImageNet's means, blue first"));
  candy.added_first = {-123.68, -116.779, -103.939};
  EXPECT_THAT(guess(candy).why, HasSubstr("red first"));
  candy.added_first = {-127.5};
  EXPECT_EQ(guess(candy).preprocessing.color, ColorOrder::rgb);
}

TEST(GuessPreprocessing, TheMetadataKnowBetter) {
  InputFacts digits = facts("Input3", {1, 1, 28, 28});
  digits.metadata = {{"Image.BitmapPixelFormat", "Gray8"}, {"Image.NominalPixelRange", "NominalRange_0_255"}};
  EXPECT_EQ(guess(digits).preprocessing.scale, 1);
  EXPECT_THAT(guess(digits).why, HasSubstr("the range of values is its metadata's (NominalRange_0_255)"));
  InputFacts blue = facts("data", {1, 3, 500, 700});
  blue.metadata = {{"Image.BitmapPixelFormat", "Bgr8"}, {"Image.NominalPixelRange", "Normalized_1_1"}};
  EXPECT_EQ(guess(blue).preprocessing.color, ColorOrder::bgr);
  EXPECT_EQ(guess(blue).preprocessing.std, std::vector<double>{127.5});
  InputFacts yolo = facts("x", {1, 3, 100, 100});
  yolo.metadata = {{"author", "Ultralytics"}};
  EXPECT_EQ(guess(yolo).preset, "yolo");
}

std::string complaint(const InputFacts& model) {
  const auto guessed = guess_preprocessing(model);
  return guessed ? "" : guessed.error().text();
}

TEST(GuessPreprocessing, AdmitsWhatItCannotTell) {
  EXPECT_THAT(complaint(facts("x", {1, 3, 77, 99})),
              HasSubstr("cannot tell how the input 'x' float32 [1,3,77,99] wants"));
  EXPECT_THAT(complaint(facts("tokens", {1, 512})), HasSubstr("it has not 3 or 4 dimensions"));
  EXPECT_THAT(complaint(facts("x", {2, 5, 128})), HasSubstr("no dimension is 1 or 3"));
  EXPECT_THAT(complaint(facts("x", {1, 3, 2, 2})), HasSubstr("too small"));
  EXPECT_THAT(complaint(facts("images", {1, 3, -1, -1})), HasSubstr("no fixed height"));
  InputFacts words = facts("x", {1, 3, 64, 64});
  words.type = DType::string;
  EXPECT_THAT(complaint(words), HasSubstr("its type is string"));
}

TEST(GuessPreprocessing, WaveformsAreNoPictures) {
  EXPECT_THAT(complaint(facts("wave", {-1, 43844, 1})), HasSubstr("cannot tell"));
  EXPECT_THAT(complaint(facts("h", {1, 1, 128})), HasSubstr("too small"));
}

}  // namespace
}  // namespace culprit
