// Real models on real pictures (CULPRIT_ZOO), and a text detector (scripts/setup networks): how they are fed, what they
// decide. Skipped with a word where they are not there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "picture/encode_picture.h"
#include "support/peers.h"
#include "support/tool.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

class RealPictures : public ::testing::Test {
 protected:
  Ran eval(std::vector<std::string> words) {
    words.insert(words.begin(), "eval");
    words.insert(words.end(), {"--run-dir", (folder_.path() / "run").string()});
    Ran ran = culprit(words);
    const auto text = read_file(folder_.path() / "run" / "report.json");
    if (text) ran.report = nlohmann::json::parse(*text);
    EXPECT_EQ(ran.exit, 0) << ran.err;
    return ran;
  }
  /// How the pictures are prepared, unwrapped.
  static std::string fed_as(const Ran& ran) { return ran.report["data"]["about"].dump(); }
  static std::string of_zoo(const std::string& name) { return (zoo() / "models" / (name + ".onnx")).string(); }
  std::string path(const std::string& name) { return (folder_.path() / name).string(); }
  /// Some of the zoo's pictures, in a folder of their own.
  std::string pictures(const std::vector<std::string>& names) {
    fs::create_directories(path("pictures"));
    for (const std::string& name : names)
      fs::copy_file(zoo() / "images" / name, folder_.path() / "pictures" / name, fs::copy_options::overwrite_existing);
    return path("pictures");
  }

  TemporaryFolder folder_ = scratch();
};

#define NEEDS_ZOO \
  if (zoo().empty()) GTEST_SKIP() << "no zoo of models: set CULPRIT_ZOO to its folder"

TEST_F(RealPictures, SqueezeNetSeesFishAndCats) {
  NEEDS_ZOO;
  const std::string folder = pictures({"fish.png", "goldfish.jpg", "kitten.png"});
  // ImageNet's 0 is the tench, 1 the goldfish, 281 the tabby.
  ASSERT_TRUE(write_file_atomic(folder_.path() / "labels.csv", "fish.png,0\ngoldfish.jpg,1\nkitten.png,281\n"));
  const Ran ran = eval({of_zoo("squeezenet-fp16-7"), "--data", folder, "--labels", path("labels.csv")});
  EXPECT_THAT(fed_as(ran), HasSubstr("is taken for one of `caffe`"));
  EXPECT_EQ(ran.report["task"]["name"], "classification");
  EXPECT_THAT(ran.out, HasSubstr("3 classes"));
  EXPECT_EQ(ran.report["models"][0]["against_labels"]["top5"]["value"], 1) << ran.out;
}

TEST_F(RealPictures, MnistReadsDigits) {
  NEEDS_ZOO;
  std::string labels;
  for (int digit = 0; digit < 10; ++digit) {
    Picture picture(28, 28, {0, 0, 0});
    draw_text(picture, 7, 4, std::to_string(digit), {255, 255, 255}, 3);
    fs::create_directories(path("digits"));
    ASSERT_TRUE(write_png(folder_.path() / "digits" / (std::to_string(digit) + ".png"), picture));
    labels += std::to_string(digit) + ".png," + std::to_string(digit) + "\n";
  }
  ASSERT_TRUE(write_file_atomic(folder_.path() / "digits" / "labels.csv", labels));
  const Ran ran = eval({of_zoo("mnist-7"), "--data", path("digits")});
  EXPECT_THAT(fed_as(ran), HasSubstr("one of `mnist`"));
  EXPECT_EQ(ran.report["task"]["name"], "classification");
  EXPECT_GE(ran.report["models"][0]["against_labels"]["top1"]["value"], 0.5) << ran.out;
}

TEST_F(RealPictures, UltraFaceFindsFaces) {
  NEEDS_ZOO;
  const std::string folder = pictures({"face-2.jpg", "face-8.jpg", "kitten.png"});
  // Where the four faces are on face-2.jpg, in its pixels.
  ASSERT_TRUE(write_file_atomic(folder_.path() / "faces.json", R"({
    "images": [{"id": 1, "file_name": "face-2.jpg"}],
    "categories": [{"id": 1, "name": "face"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [130, 109, 93, 138]},
                    {"id": 2, "image_id": 1, "category_id": 1, "bbox": [309, 88, 94, 145]},
                    {"id": 3, "image_id": 1, "category_id": 1, "bbox": [550, 78, 99, 144]},
                    {"id": 4, "image_id": 1, "category_id": 1, "bbox": [720, 117, 104, 153]}]})"));
  const std::string model = of_zoo("ultraface-rfb-320-9");
  const Ran ran = eval({model, model, "--data", folder, "--labels", path("faces.json"), "--draw", path("drawn")});
  EXPECT_EQ(ran.report["task"]["name"], "detection");
  EXPECT_EQ(ran.report["models"][1]["against_first"]["f1_iou50"]["value"], 1);
  EXPECT_EQ(ran.report["models"][0]["against_labels"]["recall_iou50"]["value"], 1) << ran.out;
  EXPECT_THAT(ran.out, HasSubstr("boxes are drawn on 3 images"));
  EXPECT_EQ(std::distance(fs::directory_iterator(path("drawn")), fs::directory_iterator()), 3);
}

TEST_F(RealPictures, CandyMakesPictures) {
  NEEDS_ZOO;
  const std::string folder = pictures({"kitten.png"});
  const Ran ran = eval({of_zoo("candy-7"), of_zoo("candy-7"), "--data", folder});
  EXPECT_THAT(fed_as(ran), HasSubstr("blue first"));
  EXPECT_EQ(ran.report["task"]["name"], "picture");
  EXPECT_EQ(ran.report["models"][1]["against_first"]["ssim"]["value"], 1);
}

TEST_F(RealPictures, ATextDetectorMarksText) {
  const fs::path model = network("rapidocr-onnxruntime", "ch_PP-OCRv4_det_infer.onnx");
  if (model.empty()) GTEST_SKIP() << "no text detector is there: scripts/setup networks";
  fs::create_directories(path("pages"));
  Picture page(320, 240, {250, 250, 250});
  draw_text(page, 40, 60, "HELLO WORLD", {10, 10, 10}, 4);
  ASSERT_TRUE(write_png(folder_.path() / "pages" / "page.png", page));
  const Ran ran = eval({model, model, "--data", path("pages")});
  EXPECT_THAT(fed_as(ran), HasSubstr("one of `rapidocr`"));
  EXPECT_EQ(ran.report["task"]["name"], "segmentation");
  EXPECT_TRUE(ran.report["task"]["is_sure"].get<bool>());
  const Ran low = eval({model, model, "--data", path("pages"), "--threshold", "0.3"});
  EXPECT_THAT(low.out, HasSubstr("what is above 0.3 counts, as --threshold says"));
}

}  // namespace
}  // namespace culprit::testing
