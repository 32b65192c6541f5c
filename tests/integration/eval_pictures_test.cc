// `culprit eval` on pictures: what is said to be right of them, and where that cannot be.
#include <algorithm>
#include <cmath>

#include "eval_folder.h"
#include "picture/encode_picture.h"

namespace culprit::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class EvalPictures : public Eval {
 protected:
  /// A detector that finds one box [10, 10, 30, 30] of class 0, with this score, on whatever it sees.
  std::string finder(const std::string& score) {
    return model("finder.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
      g (float[1,3,64,64] x) => (float[1,4] boxes, int64[1] labels, float[1] scores) {
        four = Constant<value_floats = [10.0, 10.0, 30.0, 30.0]>() shape = Constant<value_ints = [1, 4]>()
        boxes = Reshape(four, shape) labels = Constant<value_ints = [0]>()
        scores = Constant<value_floats = [)" +
                                    score + R"(]>() })");
  }
  void picture(const std::string& name, int width, int height) {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_png(folder_.path() / name, Picture(width, height, {10, 200, 60})));
  }
  static std::vector<std::string> codes(const Ran& ran) {
    std::vector<std::string> codes;
    for (const json& warning : ran.report["warnings"]) codes.push_back(warning["code"]);
    return codes;
  }
};

/// The annotations say 640x640, the files are 64x64, and a box lies outside.
TEST_F(EvalPictures, BoxesOfOtherSizesAreWarnedOf) {
  picture("p/00000.png", 64, 64);
  picture("p/00001.png", 64, 64);
  ASSERT_TRUE(write_file_atomic(folder_.path() / "l.json", R"({
    "images": [{"id": 1, "file_name": "00000.png", "width": 640, "height": 640}, {"id": 2, "file_name": "gone.png"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [10, 10, 20, 20]},
                    {"id": 3, "image_id": 1, "category_id": 1, "bbox": [900, 900, 20, 20]}],
    "categories": [{"id": 1, "name": "a"}]})"));
  const std::vector<std::string> words{finder("0.25"), "--data", path("p"),      "--labels", path("l.json"),
                                       "--detector",   "lists",  "--preprocess", "raw"};
  const Ran ran = eval(words);
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_THAT(codes(ran), ElementsAre("picture_sizes_differ", "boxes_outside"));
  EXPECT_THAT(ran.out, HasSubstr("00000.png is 64x64, and 640x640 in the list"));
}

/// F1 is counted at the score that was asked for, average precision over all boxes; both are said.
TEST_F(EvalPictures, AScoreOfTheUserCounts) {
  picture("p/a.png", 64, 64);
  ASSERT_TRUE(write_file_atomic(folder_.path() / "l.json", R"({
    "images": [{"id": 1, "file_name": "a.png"}], "categories": [{"id": 0, "name": "a"}],
    "annotations": [{"id": 1, "image_id": 1, "category_id": 0, "bbox": [10, 10, 20, 20]}]})"));
  const std::string net = finder("0.25");
  for (const auto& [score, f1] : {std::pair{"0.2", 1.0}, {"0.3", 0.0}}) {
    const Ran ran =
        eval({net, "--data", path("p"), "--labels", path("l.json"), "--score", score, "--preprocess", "raw"});
    ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
    const json& labels = ran.report["models"][0]["against_labels"];
    EXPECT_EQ(labels["f1_iou50"]["value"], f1) << score;
    EXPECT_EQ(labels["map_50"]["value"], 1) << score;
    EXPECT_THAT(ran.report["task"]["about"][0], HasSubstr(std::string("a score above ") + score + " count (--score)"));
    EXPECT_THAT(ran.out, HasSubstr("average precision"));
    fs::remove_all(path("run"));
  }
  const Ran refused = eval({net, "--data", path("p"), "--task", "picture", "--score", "0.3"});
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("--score is for detection, and the task is picture"));
}

/// What was evaluated stands where no picture can be drawn: the folder cannot be made, as on a full disk.
TEST_F(EvalPictures, PicturesThatCannotBeDrawnCostNoFigures) {
  picture("p/a.png", 64, 64);
  ASSERT_TRUE(write_file_atomic(folder_.path() / "taken", "a file"));
  const std::string net = finder("0.9");
  const Ran ran = eval({net, net, "--data", path("p"), "--preprocess", "raw", "--draw", path("taken/drawn")});
  EXPECT_EQ(ran.exit, 3) << ran.out << ran.err;
  EXPECT_THAT(codes(ran), Contains("not_drawn"));
  EXPECT_EQ(ran.report["models"][1]["against_first"]["f1_iou50"]["value"], 1);
  EXPECT_THAT(ran.out, HasSubstr("not all images are drawn (--draw)"));
}

/// The net says class 1 where red is above 100. Of two masks one agrees, one half; a third picture has none.
TEST_F(EvalPictures, MasksInAFolderAreWhatIsRight) {
  const std::string net = model("net.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,3,8,8] x) => (float[1,1,8,8] mask) <int64[1] zero = {0}, int64[1] one = {1}, float level = {100}> {
      red = Slice(x, zero, one, one) above = Greater(red, level) mask = Cast<to = 1>(above) })");
  const auto write = [&](const std::string& name, int black_rows) {
    Picture picture(8, 8, {255, 255, 255});
    for (int y = 0; y < black_rows; ++y)
      for (int x = 0; x < 8; ++x) std::fill_n(picture.at(x, y), 3, std::uint8_t{0});
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_png(folder_.path() / name, picture));
  };
  for (const char* name : {"p/a.png", "p/b.png", "p/c.png"}) write(name, 4);
  write("p/masks/a.png", 4);
  write("p/masks/b.png", 8);
  const std::vector<std::string> words{net, "--data", path("p"), "--labels", path("p/masks"), "--preprocess", "raw"};
  const Ran ran = eval(words);
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "segmentation");
  EXPECT_EQ(ran.report["data"]["samples"], 3) << "masks are no samples";
  EXPECT_EQ(ran.report["models"][0]["labelled"], 2);
  EXPECT_EQ(ran.report["models"][0]["against_labels"]["pixel_accuracy"]["value"], 0.75);
  EXPECT_THAT(ran.out, HasSubstr("masks from"));
  EXPECT_THAT(ran.out, HasSubstr("255 is class 1"));
  const Ran other =
      eval({net, "--data", path("p"), "--labels", path("p/masks"), "--task", "tensor", "--preprocess", "raw"});
  EXPECT_EQ(other.exit, 2);
  EXPECT_THAT(other.err, HasSubstr("is a folder, and tensor holds its outputs against no image files"));
}

/// A net that gives what it is shown, and pictures that are right: one the same, one two of 255 levels off.
TEST_F(EvalPictures, PicturesInAFolderAreWhatIsRight) {
  const std::string net = model("net.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,3,8,8] x) => (float[1,3,8,8] y) { y = Identity(x) })");
  picture("p/a.png", 8, 8);
  picture("p/b.png", 8, 8);
  picture("right/a.png", 8, 8);
  ASSERT_TRUE(write_png(folder_.path() / "right/b.png", Picture(8, 8, {12, 202, 62})));
  const Ran ran =
      eval({net, "--data", path("p"), "--labels", path("right"), "--task", "picture", "--preprocess", "raw"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][0]["labelled"], 2);
  EXPECT_NEAR(ran.report["models"][0]["against_labels"]["psnr"]["value"], 10 * std::log10(255.0 * 255.0 / 2), 1e-9);
}

/// Labels of which several may be right say what the task is.
TEST_F(EvalPictures, SeveralLabelsOfAPictureAreASet) {
  const std::string net = model("net.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[1,3,8,8] x) => (float[1,3] y) <float white = {255}> {
      mean = GlobalAveragePool(x) flat = Flatten<axis = 1>(mean) y = Div(flat, white) })");
  fs::create_directories(path("p"));
  ASSERT_TRUE(write_png(folder_.path() / "p/a.png", Picture(8, 8, {255, 255, 0})));
  ASSERT_TRUE(write_png(folder_.path() / "p/b.png", Picture(8, 8, {0, 0, 255})));
  ASSERT_TRUE(write_file_atomic(folder_.path() / "l.csv", "image;red;green;blue\na;1;1;0\nb;0;1;1\n"));
  const Ran ran = eval(
      {net, "--data", path("p"), "--labels", path("l.csv"), "--preprocess", "raw", "--decisions", path("told.csv")});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "multi_label");
  const json& labels = ran.report["models"][0]["against_labels"];
  EXPECT_EQ(labels["exact_match"]["value"], 0.5);
  EXPECT_NEAR(labels["f1_micro"]["value"], 2.0 * 3 / (3 + 4), 1e-12);
  EXPECT_THAT(ran.out, HasSubstr("the labels say that several classes may be right at once"));
  EXPECT_THAT(*read_file(path("told.csv")), HasSubstr("a.png,0|1,0|1,1,yes"));
}

}  // namespace
}  // namespace culprit::testing
