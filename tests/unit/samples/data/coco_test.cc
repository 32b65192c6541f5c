#include "data/sets/coco.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* small = R"({
  "info": {"year": 2017},
  "images": [{"id": 9, "file_name": "a.jpg", "width": 10, "height": 8}, {"id": 4, "file_name": "b.jpg"}],
  "annotations": [
    {"id": 1, "image_id": 9, "category_id": 18, "bbox": [1, 2, 3.5, 4], "segmentation": [[1, 2], [3, 4]], "iscrowd": 0},
    {"id": 2, "image_id": 9, "category_id": 1, "bbox": [0, 0, 5, 5], "segmentation": {"counts": [1, 2], "size": [8, 10]}, "iscrowd": 1},
    {"id": 3, "image_id": 77, "category_id": 1, "bbox": [0, 0, 5, 5]},
    {"id": 4, "image_id": 9, "category_id": 1, "bbox": [0, 0, 5]}
  ],
  "categories": [{"id": 18, "name": "dog", "supercategory": "animal"}, {"id": 1, "name": "person"}]
})";

class CocoTest : public testing::Test {
 protected:
  Result<ListedBoxes> read(const std::string& text) {
    EXPECT_TRUE(write_file_atomic(path_, text));
    return read_coco(path_);
  }
  std::string complaint(const std::string& text) {
    const auto boxes = read(text);
    return boxes ? "fine" : boxes.error().message;
  }
  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-coco").value();
  fs::path path_ = folder_.path() / "instances.json";
};

TEST_F(CocoTest, BoxesComeByFileWithThePlaceOfTheirCategory) {
  const auto boxes = read(small);
  ASSERT_TRUE(boxes) << boxes.error().text();
  EXPECT_THAT(boxes->categories, ElementsAre("person", "dog"));
  EXPECT_THAT(boxes->category_ids, ElementsAre(1, 18));
  ASSERT_EQ(boxes->by_file.size(), 2U);
  EXPECT_TRUE(boxes->by_file.at("b.jpg").boxes.empty()) << "an image on which there is nothing";
  const auto& of_a = boxes->by_file.at("a.jpg").boxes;
  EXPECT_EQ(boxes->by_file.at("a.jpg").size, (PictureSize{10, 8}));
  EXPECT_EQ(boxes->by_file.at("b.jpg").size, PictureSize()) << "nobody says";
  ASSERT_EQ(of_a.size(), 2U);
  EXPECT_EQ(of_a[0].category, 1);
  EXPECT_EQ(of_a[0].width, 3.5F);
  EXPECT_FALSE(of_a[0].is_crowd);
  EXPECT_TRUE(of_a[1].is_crowd);
  EXPECT_EQ(boxes->annotations, 4);
  EXPECT_EQ(boxes->left_out, (std::map<std::string, std::int64_t>{{"of an image that it does not list", 1},
                                                                  {"without a box of four numbers", 1}}));
  EXPECT_TRUE(may_be_coco(path_));
}

TEST_F(CocoTest, WhatIsNoSuchFileIsTold) {
  EXPECT_THAT(complaint("{}"), HasSubstr("lists no \"images\""));
  EXPECT_THAT(complaint(R"({"images": [{"id": 1, "file_name": "a"}]})"), HasSubstr("lists no \"annotations\""));
  EXPECT_THAT(complaint(R"({"images": [{"id": 1, "file_name": "a"}], "annotations": []})"),
              HasSubstr("lists no \"categories\""));
  EXPECT_THAT(complaint("[1, 2]"), HasSubstr("is no JSON object"));
  EXPECT_THAT(complaint(std::string(small).substr(0, 200)), HasSubstr("ends too early"));
  EXPECT_THAT(complaint(R"({"images": [1, {"id": "x"}], "annotations": 7, "categories": [[]]})"),
              HasSubstr("lists no"));
  EXPECT_THAT(complaint("{\n\"bbox\": [NaN]}"), HasSubstr("is no JSON, or ends too early: line 2, column 10, at"));
  EXPECT_THAT(complaint(R"({"images": [{"id": "7", "file_name": "a"}], "annotations": [], "categories": []})"),
              HasSubstr("none of 1 has a whole number as \"id\""));
  const auto missing = read_coco(folder_.path() / "none.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().kind, ErrorKind::not_found);
  EXPECT_FALSE(may_be_coco(folder_.path() / "none.json"));
}

TEST_F(CocoTest, AnnotationsOfWhichNoneIsOfUseAreAnError) {
  EXPECT_THAT(complaint(R"({"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1}],
                            "annotations": [{"image_id": 1, "category_id": 1, "bbox": [0, 0, 5]},
                                            {"image_id": 1, "category_id": 2, "bbox": [0, 0, 5, 5]}]})"),
              HasSubstr("none of the 2 annotations in"));
  EXPECT_EQ(complaint(R"({"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1}], "annotations": []})"),
            "fine")
      << "nothing is on these images";
}

TEST_F(CocoTest, EntriesGoByTheirLastPartWhereOnlyOneEndsSo) {
  ListedBoxes boxes;
  for (const char* file : {"val2017/a.jpg", "val2017/b.jpg", "other/b.jpg", "c.jpg"}) boxes.by_file[file];
  NameTable pictures;
  for (const char* name : {"a.jpg", "b.jpg", "sub/c.jpg", "val2017/b.jpg", "z.jpg"}) pictures.add(name);
  const auto found = boxes_of_pictures(boxes, pictures, "");
  ASSERT_EQ(found.size(), 5U);
  EXPECT_EQ(found[0], &boxes.by_file.at("val2017/a.jpg"));
  EXPECT_EQ(found[1], nullptr) << "two entries and two images end so";
  EXPECT_EQ(found[2], &boxes.by_file.at("c.jpg"));
  EXPECT_EQ(found[3], &boxes.by_file.at("val2017/b.jpg"));
  EXPECT_EQ(found[4], nullptr);
}

}  // namespace
}  // namespace culprit
