#include "picture/read_preprocessing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string complaint(const std::string& text) {
  const auto read = read_preprocessing(text, "culprit.yaml");
  return read ? "" : read.error().text();
}

TEST(ReadPreprocessing, AllKeys) {
  const auto read = read_preprocessing(
      "task: detection\n"
      "preprocess:\n"
      "  about: mine\n"
      "  backend: torch\n"
      "  letterbox: {size: [320, input], color: [1, 2, 3], place: corner, filter: cubic, antialias: true}\n"
      "  pad: {size: 640, multiple: 32, color: 5}\n"
      "  resize: {shorter: input/0.875, multiple: 2, only: shrink}\n"
      "  crop: 224\n"
      "  color: bgr\n"
      "  scale: 1/255\n"
      "  mean: [1, 2, 3]\n"
      "  std: 4\n"
      "  layout: nhwc\n"
      "  dtype: float16\n",
      "culprit.yaml");
  ASSERT_TRUE(read) << read.error().text();
  EXPECT_EQ(read->about, "mine");
  EXPECT_EQ(read->backend, Backend::torch);
  ASSERT_EQ(read->steps.size(), 4U);
  const PictureStep letterbox{
      PictureStepKind::letterbox, ResizeTo::size, {320}, {}, 1, Filter::bicubic, true, {1, 2, 3}, true};
  EXPECT_EQ(read->steps[0], letterbox);
  EXPECT_EQ(read->steps[1].kind, PictureStepKind::pad);
  EXPECT_EQ(read->steps[2].to, ResizeTo::shorter);
  EXPECT_EQ(read->steps[2].height.share, 0.875);
  EXPECT_EQ(read->steps[2].only, ResizeOnly::shrink);
  EXPECT_EQ(read->steps[3].kind, PictureStepKind::crop);
  EXPECT_EQ(read->color, ColorOrder::bgr);
  EXPECT_EQ(read->scale, 1.0 / 255);
  EXPECT_THAT(read->mean, ElementsAre(1, 2, 3));
  EXPECT_THAT(read->std, ElementsAre(4));
  EXPECT_EQ(read->layout, PixelLayout::nhwc);
  EXPECT_EQ(read->dtype, DType::f16);
  EXPECT_EQ(read_preprocessing(to_yaml(*read), "again").value(), *read);
}

TEST(ReadPreprocessing, APresetIsWhereItBegins) {
  EXPECT_EQ(read_preprocessing("preprocess: yolo", "x").value(), preprocessing_named("yolo").value());
  const auto read = read_preprocessing("preset: torchvision\nbackend: opencv\nresize: input\n", "x").value();
  EXPECT_EQ(read.backend, Backend::opencv);
  EXPECT_EQ(read.steps.size(), 1U);  // the steps are one's own where there are any
  EXPECT_EQ(read.mean.size(), 3U);
}

TEST(ReadPreprocessing, AFileMayBeAboutOtherThings) {
  EXPECT_TRUE(names_preprocessing("task: detection\npreprocess: yolo\n"));
  EXPECT_FALSE(names_preprocessing("task: detection\n"));
  EXPECT_FALSE(names_preprocessing("[a"));
  EXPECT_FALSE(names_preprocessing(""));
}

TEST(ReadPreprocessing, NamesMistakesWithTheirLines) {
  EXPECT_THAT(complaint("preprocess: raw\nclases: [a]\n"), HasSubstr("line 2: there is no key 'clases'; did you mean"));
  EXPECT_THAT(complaint("preprocess: raw\npreprocess: torchvision\n"),
              HasSubstr("line 2: 'preprocess' is there twice"));
  EXPECT_EQ(complaint("backend: pillow\nresise: 5\n"),
            "culprit.yaml: line 2: there is no key 'resise'; did you mean 'resize'? docs/preprocessing.md tells what "
            "stands in "
            "such a file");
  EXPECT_THAT(complaint("task: tensor\npreprocess:\n  zzzzzz: 5\n"),
              HasSubstr("line 3: there is no key 'zzzzzz'; there are preset, about"));
  EXPECT_THAT(complaint("crop: {sizes: 5}"), HasSubstr("did you mean 'size'"));
  EXPECT_THAT(complaint("crop: 5\ncrop: 6\n"), HasSubstr("'crop' is there twice"));
  EXPECT_THAT(complaint("backend: pil"),
              HasSubstr("line 1: 'backend' must be one of pillow, pillow12, opencv, torch, tf"));
  EXPECT_THAT(complaint("resize: big"), HasSubstr("'resize' must be a number of pixels from 1 to 65536, `input`"));
  EXPECT_THAT(complaint("resize: {size: 0}"), HasSubstr("'size' must be a number of pixels"));
  EXPECT_THAT(complaint("resize: [1, 2, 3]"), HasSubstr("one length, or [height, width]"));
  EXPECT_THAT(complaint("resize: {size: 5, longer: 6}"), HasSubstr("only one of 'size', 'shorter' and 'longer'"));
  EXPECT_THAT(complaint("resize: {size: 5, only: shrink}"), HasSubstr("'only' goes with 'shorter' or 'longer'"));
  EXPECT_THAT(complaint("resize: {longer: 5, only: both}"), HasSubstr("'only' must be one of enlarge, shrink"));
  EXPECT_THAT(complaint("resize: {multiple: 0}"), HasSubstr("'multiple' must be a whole number from 1"));
  EXPECT_THAT(complaint("scale: a/255"), HasSubstr("'scale' must be a number"));
  EXPECT_THAT(complaint("scale: 1/0"), HasSubstr("'scale' must be a number"));
  EXPECT_THAT(complaint("mean: [1, 2]"), HasSubstr("'mean' must be one number, or three"));
  EXPECT_THAT(complaint("std: 0"), HasSubstr("'std' must not be 0"));
  EXPECT_THAT(complaint("pad: {size: 5, color: 256}"), HasSubstr("'color' must be a whole number from 0 to 255"));
  EXPECT_THAT(complaint("pad: {size: 5, color: [1, 2]}"), HasSubstr("[red, green, blue]"));
  EXPECT_THAT(complaint("dtype: float33"), HasSubstr("'dtype' must be a type"));
  EXPECT_THAT(complaint("preset: yollo"), HasSubstr("there is no preset 'yollo'. did you mean 'yolo'?"));
  EXPECT_THAT(complaint("backend: torch\nresize: {size: 5, filter: lanczos}"),
              HasSubstr("torch has no filter lanczos"));
  EXPECT_THAT(complaint("- a"), HasSubstr("here must stand keys and values"));
  EXPECT_THAT(complaint(""), HasSubstr("here must stand keys and values"));
  EXPECT_THAT(complaint("a: [b"), HasSubstr("no YAML that makes sense"));
}

TEST(Presets, AllAreThereAndCanBeRead) {
  std::vector<std::string_view> names;
  for (const auto& preset : preprocessing_presets()) {
    names.push_back(preset.name);
    const auto read = preprocessing_named(preset.name);
    ASSERT_TRUE(read) << read.error().text();
    EXPECT_FALSE(read->about.empty()) << preset.name;
    EXPECT_THAT(std::string(preset.text), HasSubstr("# http")) << preset.name << " says where it is from";
    EXPECT_EQ(read_preprocessing(to_yaml(*read), "again").value(), *read);
  }
  EXPECT_THAT(names, ElementsAre("caffe", "mnist", "mobilenet", "rapidocr", "raw", "ssd", "tf", "torchvision",
                                 "ultraface", "yolo"));
  EXPECT_THAT(preprocessing_named("none of them").error().text(), HasSubstr("there are caffe, mnist"));
}

}  // namespace
}  // namespace culprit
