// Where lists of boxes and names of folders contradict the pictures.
#include "data/sets/truth_warnings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "picture/encode_picture.h"

namespace culprit {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class TruthWarnings : public testing::Test {
 protected:
  void write(const std::string& name, int width, int height) {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_png(folder_.path() / name, Picture(width, height)));
  }
  [[nodiscard]] std::vector<Warning> warnings(const ListedBoxes& boxes,
                                              const std::vector<std::int64_t>& numbers) const {
    const auto files = list_files(picture_kind(), folder_.path());
    return warnings_of_boxes(boxes, boxes_of_pictures(boxes, files->names, files->folder), *files, numbers);
  }
  [[nodiscard]] std::vector<Warning> of_folders() const {
    return warnings_of_folders(*list_files(picture_kind(), folder_.path()));
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-truth").value();
};

TEST_F(TruthWarnings, OtherSizesThanTheFilesHaveAndBoxesOutside) {
  write("a.png", 64, 48);
  write("b.png", 64, 48);
  write("c.png", 64, 48);
  ListedBoxes boxes;
  boxes.from = "l.json";
  boxes.by_file["a.png"] = {{{0, 0, 64.5, 48.5}, {-1, -1, 10, 10}}, {64, 48}};
  boxes.by_file["b.png"] = {{{0, 0, 10, 10}}, {}};
  EXPECT_THAT(warnings(boxes, {0, 1, 2}), IsEmpty()) << "less than a pixel, and a size that nobody says";
  boxes.by_file["b.png"] = {{{0, 0, 10, 10}, {900, 900, 20, 20}}, {640, 480}};
  const auto found = warnings(boxes, {0, 1, 2});
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].code, "picture_sizes_differ");
  EXPECT_THAT(found[0].message, HasSubstr("another size of 1 of 2 images than the file has: b.png is 64x48, and "
                                          "640x480 in the list"));
  EXPECT_EQ(found[1].code, "boxes_outside");
  EXPECT_THAT(found[1].message, HasSubstr("1 of 4 boxes in l.json reaches out of the image: b.png is 64x48, and a "
                                          "box [x, y, width, height] is [900, 900, 20, 20]"));
  EXPECT_THAT(warnings(boxes, {0, 2}), IsEmpty()) << "of other images nothing is said";
  boxes.by_file["b.png"] = {{{0, 46, 10, 4}}, {48, 64}};
  EXPECT_EQ(warnings(boxes, {1}).size(), 2U) << "turned, and out at the bottom";
  boxes.by_file["b.png"] = {{{60, 0, 10, 4}}, {64, 48}};
  EXPECT_EQ(warnings(boxes, {1}).size(), 1U) << "out on the right";
}

TEST_F(TruthWarnings, FoldersThatAreCalledAsPartsOfADataSet) {
  write("Train/a.png", 2, 2);
  write("val/a.png", 2, 2);
  ASSERT_EQ(of_folders().size(), 1U);
  EXPECT_EQ(of_folders()[0].code, "folders_are_splits");
  EXPECT_THAT(of_folders()[0].message, HasSubstr("the folders Train, val are taken as classes"));
  write("cat/a.png", 2, 2);
  EXPECT_THAT(of_folders(), IsEmpty()) << "one is none";
  ASSERT_TRUE(write_file_atomic(folder_.path() / "labels.csv", "Train/a.png,1\n"));
  fs::remove_all(folder_.path() / "cat");
  EXPECT_THAT(of_folders(), IsEmpty()) << "a list says what is right";
}

}  // namespace
}  // namespace culprit
