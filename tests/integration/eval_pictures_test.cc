// `culprit eval` on pictures: what is said to be right of them, and where that cannot be.
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
  EXPECT_THAT(ran.out, HasSubstr("not all pictures are drawn (--draw)"));
}

}  // namespace
}  // namespace culprit::testing
