#include "data/sets/picture_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "data/sets/label_list.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class PictureFilesTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "") {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_file_atomic(folder_.path() / name, text));
  }
  [[nodiscard]] PictureFiles list(const std::string& labels = "") const {
    auto files = list_pictures(folder_.path(), labels.empty() ? fs::path() : folder_.path() / labels);
    EXPECT_TRUE(files) << files.error().text();
    return files ? std::move(*files) : PictureFiles{};
  }
  [[nodiscard]] std::string complaint(const std::string& labels = "") const {
    auto files = list_pictures(folder_.path(), labels.empty() ? fs::path() : folder_.path() / labels);
    return files ? "fine" : files.error().message;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-pictures").value();
};

std::vector<std::string> all(const NameTable& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.size(); ++i) names.emplace_back(table[i]);
  return names;
}

TEST_F(PictureFilesTest, are_found_by_their_endings_and_sorted) {
  for (const char* name : {"b.JPG", "a.png", "sub/c.webp", "notes.txt", ".hidden.png", ".cache/d.png"}) write(name);
  const PictureFiles files = list();
  EXPECT_THAT(all(files.names), ElementsAre("a.png", "b.JPG", "sub/c.webp"));
  EXPECT_THAT(all(files.other), ElementsAre("notes.txt"));
  EXPECT_THAT(files.labels, IsEmpty());
  EXPECT_TRUE(has_pictures(folder_.path()));
}

TEST_F(PictureFilesTest, folders_are_labels_where_there_are_at_least_two) {
  write("cat/1.png");
  write("cat/2.png");
  EXPECT_THAT(list().labels, IsEmpty()) << "one folder tells nothing";
  write("ant/1.png");
  const PictureFiles files = list();
  EXPECT_THAT(files.classes, ElementsAre("ant", "cat"));
  EXPECT_THAT(files.labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(files.labels_from, "the names of folders");
  write("loose.png");
  EXPECT_THAT(list().labels, IsEmpty()) << "what lies in no folder has no label";
}

TEST_F(PictureFilesTest, folders_that_are_numbers_are_classes_of_that_number) {
  write("7/a.png");
  write("10/b.png");
  const PictureFiles files = list();
  EXPECT_THAT(files.labels, ElementsAre(10, 7)) << "10/b.png, 7/a.png";
  EXPECT_EQ(files.classes.size(), 11U);
}

TEST_F(PictureFilesTest, a_list_of_classes_numbers_them) {
  write("cat/1.png");
  write("ant/1.png");
  write("classes.txt", "dog\ncat\nant\n");
  EXPECT_THAT(list().labels, ElementsAre(2, 1));
  write("bee/1.png");
  EXPECT_THAT(complaint(), HasSubstr("the label 'bee' is not in"));
}

TEST_F(PictureFilesTest, labels_come_from_a_list) {
  write("a.png");
  write("sub/b.png");
  write("c.png");
  write("labels.csv", "file,label\na.png,3\n\"b.png\",\"1\"\n");
  PictureFiles files = list();
  EXPECT_THAT(files.labels, ElementsAre(3, -1, 1));
  EXPECT_EQ(files.labels_from, "labels.csv");
  write("other.jsonl", "{\"file\": \"a.png\", \"label\": \"x\"}\n\n{\"image\": \"sub/b.png\", \"class\": \"y\"}\n");
  EXPECT_THAT(list("other.jsonl").labels, ElementsAre(0, -1, 1));
}

TEST_F(PictureFilesTest, lists_that_make_no_sense_are_told_by_line) {
  write("a.png");
  write("l.csv", "a.png,1\na.png,2\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("l.csv, line 2: 'a.png' has two labels, '1' and '2'"));
  write("l.csv", "a.png,1,2\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("line 1: it has 3 columns, and not 2"));
  write("l.csv", "a.png,\"1\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("its quotes do not match"));
  write("l.csv", "");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("holds no labels"));
  write("l.csv", "z.png,1\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("names none of the pictures"));
  write("l.jsonl", "{\"file\": \"a.png\"}\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: it has no \"label\""));
  write("l.jsonl", "nonsense\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: it is no JSON object"));
  EXPECT_THAT(complaint("none.csv"), HasSubstr("none.csv"));
}

TEST_F(PictureFilesTest, an_empty_folder_has_none) {
  EXPECT_EQ(list().names.size(), 0U);
  EXPECT_FALSE(has_pictures(folder_.path()));
  EXPECT_FALSE(has_pictures(folder_.path() / "no such folder"));
}

}  // namespace
}  // namespace culprit
