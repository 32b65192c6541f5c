#include "picture/preprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "picture/orientation.h"
#include "picture/read_preprocessing.h"
#include "tensor/npy.h"
#include "unit/values/picture/golden.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Preprocessing made(const std::string& yaml, const PictureInput& input) {
  const auto preprocessing = read_preprocessing(yaml, "x.yaml");
  EXPECT_TRUE(preprocessing) << preprocessing.error().text();
  auto fit = fitted(preprocessing.value(), input);
  EXPECT_TRUE(fit) << fit.error().text();
  return fit.value();
}

std::string complaint(const std::string& yaml, const PictureInput& input) {
  const auto fit = fitted(read_preprocessing(yaml, "x.yaml").value(), input);
  return fit ? "" : fit.error().text();
}

Tensor tensor_of(const Picture& picture, const Preprocessing& preprocessing) {
  auto tensor = preprocess(picture, preprocessing);
  EXPECT_TRUE(tensor) << tensor.error().text();
  return tensor ? *tensor : Tensor();
}

/// Two by two: red, green; blue, white.
Picture four_pixels() {
  Picture picture(2, 2);
  picture.rgb = {255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255};
  return picture;
}

double largest_difference(const Tensor& a, const Tensor& b) {
  EXPECT_EQ(a.shape(), b.shape());
  double largest = 0;
  for (std::int64_t i = 0; i < std::min(a.count(), b.count()); ++i)
    largest = std::max(largest, std::abs(a.number(i) - b.number(i)));
  return largest;
}

/// The whole way of a picture by a preset is the one of the program that the preset is taken from.
TEST(Preprocess, PresetsGoTheWayOfTheirSources) {
  const auto stored = read_npz(golden_folder() / "chains.npz");
  ASSERT_TRUE(stored) << stored.error().text();
  ASSERT_EQ(stored->size(), 12U);
  // One grey level, in what the net takes; Pillow's way to the last bit.
  const std::map<std::string, double> most{{"torchvision", 0},     {"caffe", 1.0001},
                                           {"yolo", 1.001 / 255},  {"ultraface", 1.001 / 128},
                                           {"mnist", 1.001 / 255}, {"mobilenet", 2.001 / 255}};
  const Picture scene = picture_of("odd_scene.png");
  for (const auto& [name, value, part] : *stored) {
    const std::string preset = name.substr(0, name.find('_'));
    const Picture picture = name.ends_with("_turned") ? turned(scene, 5) : scene;
    const Preprocessing preprocessing = made(preset, {value.shape(), DType::f32});
    EXPECT_LE(largest_difference(tensor_of(picture, preprocessing), value), most.at(preset)) << name;
  }
}

TEST(Preprocess, LayoutsAndOrdersOfColors) {
  const Picture picture = four_pixels();
  const Tensor rgb = tensor_of(picture, made("color: rgb", {{1, 3, 2, 2}}));
  EXPECT_THAT(rgb.as<float>(), ElementsAre(255, 0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255));
  const Tensor bgr = tensor_of(picture, made("color: bgr", {{1, 3, 2, 2}}));
  EXPECT_THAT(bgr.as<float>(), ElementsAre(0, 0, 255, 255, 0, 255, 0, 255, 255, 0, 0, 255));
  const Tensor last = tensor_of(picture, made("color: bgr", {{-1, -1, -1, 3}}));
  EXPECT_EQ(last.shape(), (Shape{1, 2, 2, 3}));
  EXPECT_THAT(last.as<float>(), ElementsAre(0, 0, 255, 0, 255, 0, 255, 0, 0, 255, 255, 255));
}

TEST(Preprocess, GreyIsTheBackends) {
  const Tensor grey = tensor_of(four_pixels(), made("backend: pillow", {{1, 1, 2, 2}, DType::u8}));
  EXPECT_THAT(grey.as<std::uint8_t>(), ElementsAre(76, 150, 29, 255));
  const Tensor flat = tensor_of(four_pixels(), made("color: grey", {{2, 2}, DType::u8}));
  EXPECT_EQ(flat.shape(), (Shape{2, 2}));
}

TEST(Preprocess, MeanAndStdAreInTheOrderOfTheNet) {
  const Preprocessing preprocessing =
      made("{color: bgr, scale: 1/255, mean: [0, 0.5, 1], std: [1, 2, 4]}", {{3, 2, 2}});
  const Tensor tensor = tensor_of(four_pixels(), preprocessing);
  EXPECT_EQ(tensor.shape(), (Shape{3, 2, 2}));
  EXPECT_THAT(tensor.as<float>(), ElementsAre(0, 0, 1, 1, -0.25, 0.25, -0.25, 0.25, 0, -0.25, -0.25, 0));
}

TEST(Preprocess, OtherTypesAreRoundedOnce) {
  const std::string way = "{scale: 1/255, mean: 0.5}";
  const Tensor half = tensor_of(four_pixels(), made(way, {{1, 3, 2, 2}, DType::f16}));
  EXPECT_EQ(half.dtype(), DType::f16);
  EXPECT_EQ(half.number(0), 0.5);
  const Tensor bytes = tensor_of(four_pixels(), made("mean: 128", {{1, 3, 2, 2}, DType::i8}));
  EXPECT_EQ(bytes.number(0), 127);
  EXPECT_EQ(bytes.number(1), -128);
  EXPECT_EQ(tensor_of(four_pixels(), made("raw", {{1, 2, 2, 3}, DType::i64})).number(0), 255);
}

TEST(Preprocess, TensorFlowKeepsFractions) {
  Picture picture(2, 1);
  picture.rgb = {0, 0, 0, 101, 101, 101};
  const Preprocessing preprocessing = made("{backend: tf, resize: input}", {{1, 1, 1, 3}});
  EXPECT_EQ(tensor_of(picture, preprocessing).number(0), 50.5);
  EXPECT_EQ(tensor_of(picture, made("{backend: tf, resize: input, crop: input}", {{1, 1, 1, 3}})).number(0), 50.5);
  EXPECT_EQ(seen_by_net(picture, preprocessing)->rgb, (std::vector<std::uint8_t>{50, 50, 50}));
}

TEST(Preprocess, TheStepsAreDoneInTheirOrder) {
  const Picture picture(100, 50, {9, 9, 9});
  const PictureInput any{{1, 3, -1, -1}};
  EXPECT_EQ(size_for_net({100, 50}, made("{resize: {shorter: 20}, crop: 16}", any)).value(), (PictureSize{16, 16}));
  EXPECT_EQ(size_for_net({100, 50}, made("{crop: 16, resize: {shorter: 20}}", any)).value(), (PictureSize{20, 20}));
  EXPECT_EQ(size_for_net({100, 51}, made("{resize: {longer: 33}}", any)).value(), (PictureSize{33, 16}));
  EXPECT_EQ(size_for_net({100, 50}, made("{resize: {longer: 90, multiple: 32}}", any)).value(), (PictureSize{96, 32}));
  EXPECT_EQ(size_for_net({100, 50}, made("{pad: {multiple: 32}}", any)).value(), (PictureSize{128, 64}));
  EXPECT_EQ(size_for_net({100, 50}, made("scale: 1", any)).value(), (PictureSize{100, 50}));
}

TEST(Preprocess, PicturesThatAreLargeEnoughKeepTheirSize) {
  const PictureInput any{{1, 3, -1, -1}};
  const Preprocessing up = made("{resize: {shorter: 40, only: enlarge}}", any);
  EXPECT_EQ(size_for_net({20, 30}, up).value(), (PictureSize{40, 60}));
  EXPECT_EQ(size_for_net({50, 70}, up).value(), (PictureSize{50, 70}));
  const Preprocessing down = made("{resize: {longer: 40, only: shrink}}", any);
  EXPECT_EQ(size_for_net({20, 30}, down).value(), (PictureSize{20, 30}));
  EXPECT_EQ(size_for_net({80, 20}, down).value(), (PictureSize{40, 10}));
  // As rapidocr-onnxruntime 1.4.4 does it.
  const Preprocessing of_texts = made("rapidocr", any);
  EXPECT_EQ(size_for_net({1024, 768}, of_texts).value(), (PictureSize{1024, 768}));
  EXPECT_EQ(size_for_net({1000, 790}, of_texts).value(), (PictureSize{992, 800}));
  EXPECT_EQ(size_for_net({490, 353}, of_texts).value(), (PictureSize{1024, 736}));
}

TEST(Preprocess, PadsWithTheColour) {
  const Picture picture(1, 1, {1, 2, 3});
  const Preprocessing preprocessing = made("{pad: {size: input, color: [7, 8, 9], place: corner}}", {{1, 1, 2, 3}});
  const Tensor padded = tensor_of(picture, preprocessing);
  EXPECT_THAT(padded.as<float>(), ElementsAre(1, 2, 3, 7, 8, 9));
  const Tensor cropped = tensor_of(picture, made("crop: input", {{1, 1, 3, 3}}));
  EXPECT_THAT(cropped.as<float>(), ElementsAre(0, 0, 0, 1, 2, 3, 0, 0, 0));
}

void expect_placement(const std::string& yaml, const Shape& shape, PictureSize size, const Placement& expected) {
  const auto placement = placement_of(size, made(yaml, {shape}));
  ASSERT_TRUE(placement) << placement.error().text();
  EXPECT_DOUBLE_EQ(placement->scale_x, expected.scale_x) << yaml;
  EXPECT_DOUBLE_EQ(placement->scale_y, expected.scale_y) << yaml;
  EXPECT_DOUBLE_EQ(placement->offset_x, expected.offset_x) << yaml;
  EXPECT_DOUBLE_EQ(placement->offset_y, expected.offset_y) << yaml;
}

TEST(Placement, TellsWhereThePictureLies) {
  expect_placement("ultraface", {1, 3, 240, 320}, {640, 960}, {0.5, 0.25, 0, 0});
  expect_placement("yolo", {1, 3, 640, 640}, {1280, 640}, {0.5, 0.5, 0, 160});
  expect_placement("yolo", {1, 3, 320, 320}, {100, 200}, {1.6, 1.6, 80, 0});
  expect_placement("torchvision", {1, 3, 224, 224}, {1024, 512}, {0.5, 0.5, -144, -16});
  expect_placement("{letterbox: {size: input, place: corner}}", {1, 3, 64, 64}, {32, 64}, {1, 1, 0, 0});
}

TEST(Fitted, AsksTheInputForAllThatIsLeftOut) {
  const Preprocessing grey = made("mnist", {{1, 1, 28, 28}});
  EXPECT_EQ(grey.color, ColorOrder::grey);
  EXPECT_EQ(grey.steps.front().width.pixels, 28);
  const Preprocessing last = made("raw", {{-1, 300, 400, 3}, DType::u8});
  EXPECT_EQ(last.layout, PixelLayout::nhwc);
  EXPECT_EQ(last.dtype, DType::u8);
  EXPECT_EQ(last.steps.front().height.pixels, 300);
  EXPECT_EQ(made("torchvision", {{1, 3, 299, 299}}).steps.front().height.pixels, 341);
  EXPECT_EQ(made("scale: 2", {{1, 3, 10, 20}}).steps.size(), 1U);  // resized without being told to
}

TEST(LayoutOf, ThreeChannelsAreTheBetterSign) {
  EXPECT_EQ(layout_of({1, 3, 8, 8}), PixelLayout::nchw);
  EXPECT_EQ(layout_of({1, 8, 8, 3}), PixelLayout::nhwc);
  EXPECT_EQ(layout_of({1, 1, 8, 3}), PixelLayout::nhwc);
  EXPECT_EQ(layout_of({1, 1, 8, 1}), PixelLayout::nchw);
  EXPECT_EQ(layout_of({8, 8, 1}), PixelLayout::nhwc);
  EXPECT_EQ(layout_of({1, 4, 8, 8}), std::nullopt);
  EXPECT_EQ(layout_of({1, 3}), std::nullopt);
}

TEST(Fitted, SaysWhatDoesNotFit) {
  EXPECT_THAT(complaint("raw", {{1, 5}, DType::string}), HasSubstr("cannot be made string"));
  EXPECT_THAT(complaint("raw", {{2, 5, 5}}), HasSubstr("channels"));
  EXPECT_THAT(complaint("raw", {{1, 7, 8, 9}}), HasSubstr("no dimension of the input's shape [1,7,8,9] is 1 or 3"));
  EXPECT_THAT(complaint("raw", {{1, 2, 3, 4, 5}}), HasSubstr("2, 3 or 4 dimensions"));
  EXPECT_THAT(complaint("layout: nchw", {{1, 20, 20, 3}}), HasSubstr("has 20 channels"));
  EXPECT_THAT(complaint("mnist", {{1, 3, 28, 28}}), HasSubstr("color: grey gives 1 channels, and the net takes 3"));
  EXPECT_THAT(complaint("dtype: float16", {{1, 3, 8, 8}}), HasSubstr("dtype: float16, and the net takes float32"));
  EXPECT_THAT(complaint("torchvision", {{1, 3, -1, -1}}), HasSubstr("no fixed height and width"));
  EXPECT_THAT(complaint("torchvision", {{1, 3, 224, 224}, DType::u8}), HasSubstr("nearly all pixels are the same"));
  EXPECT_THAT(complaint("mean: [1, 2, 3]", {{1, 1, 8, 8}}), HasSubstr("mean and std have 3 numbers"));
}

TEST(Preprocess, SaysWhereTheSizeIsNotTheNets) {
  const Preprocessing preprocessing = made("resize: 10", {{1, 3, 8, 8}});
  EXPECT_THAT(preprocess(four_pixels(), preprocessing).error().text(),
              HasSubstr("makes 10 x 10 pixels (width x height) of an image of 2 x 2, and the net takes 8 x 8"));
  const Preprocessing thin = made("{resize: {shorter: 60000}}", {{1, 3, -1, -1}});
  EXPECT_THAT(preprocess(Picture(3, 100), thin).error().text(), HasSubstr("60000 x 2000000 pixels"));
  EXPECT_EQ(preprocess(four_pixels(), Preprocessing()).error().kind, ErrorKind::internal);
}

}  // namespace
}  // namespace culprit
