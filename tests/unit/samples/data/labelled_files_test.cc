#include "data/sets/labelled_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/fsuid.h>

#include "base/file.h"
#include "data/sets/label_list.h"
#include "data/sets/told_of_files.h"

namespace culprit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class LabelledFilesTest : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "") {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_file_atomic(folder_.path() / name, text));
  }
  [[nodiscard]] LabelledFiles list(const std::string& labels = "") const {
    auto files = list_files(picture_kind(), folder_.path(), labels.empty() ? fs::path() : folder_.path() / labels);
    EXPECT_TRUE(files) << files.error().text();
    return files ? std::move(*files) : LabelledFiles{};
  }
  [[nodiscard]] std::string complaint(const std::string& labels = "") const {
    auto files = list_files(picture_kind(), folder_.path(), labels.empty() ? fs::path() : folder_.path() / labels);
    return files ? "fine" : files.error().message;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-pictures").value();
};

std::vector<std::string> all(const NameTable& table) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < table.size(); ++i) names.emplace_back(table[i]);
  return names;
}

TEST_F(LabelledFilesTest, AreFoundByTheirEndingsAndSorted) {
  for (const char* name : {"b.JPG", "a.png", "sub/c.webp", "notes.txt", ".hidden.png", ".cache/d.png"}) write(name);
  const LabelledFiles files = list();
  EXPECT_THAT(all(files.names), ElementsAre("a.png", "b.JPG", "sub/c.webp"));
  EXPECT_THAT(all(files.other), ElementsAre("notes.txt"));
  EXPECT_THAT(files.labels, IsEmpty());
  EXPECT_TRUE(has_files(picture_kind(), folder_.path()));
}

TEST_F(LabelledFilesTest, FoldersAreLabelsWhereThereAreAtLeastTwo) {
  write("cat/1.png");
  write("cat/2.png");
  EXPECT_THAT(list().labels, IsEmpty()) << "one folder tells nothing";
  write("ant/1.png");
  const LabelledFiles files = list();
  EXPECT_THAT(files.classes, ElementsAre("ant", "cat"));
  EXPECT_THAT(files.labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(files.labels_from, "the names of folders");
  write("loose.png");
  EXPECT_THAT(list().labels, IsEmpty()) << "what lies in no folder has no label";
}

TEST_F(LabelledFilesTest, FoldersThatAreNumbersAreClassesOfThatNumber) {
  write("7/a.png");
  write("10/b.png");
  const LabelledFiles files = list();
  EXPECT_THAT(files.labels, ElementsAre(10, 7)) << "10/b.png, 7/a.png";
  EXPECT_EQ(files.classes.size(), 11U);
}

TEST_F(LabelledFilesTest, AListOfClassesNumbersThem) {
  write("cat/1.png");
  write("ant/1.png");
  write("classes.txt", "dog\ncat\nant\n");
  EXPECT_THAT(list().labels, ElementsAre(2, 1));
  write("bee/1.png");
  EXPECT_THAT(complaint(), HasSubstr("the label 'bee' is not in"));
}

TEST_F(LabelledFilesTest, LabelsComeFromAList) {
  write("a.png");
  write("sub/b.png");
  write("c.png");
  write("labels.csv", "file,label\na.png,3\n\"b.png\",\"1\"\n");
  LabelledFiles files = list();
  EXPECT_THAT(files.labels, ElementsAre(3, -1, 1));
  EXPECT_EQ(files.labels_from, "labels.csv");
  EXPECT_THAT(told_of_labels(files), testing::SizeIs(1)) << "all of the list is there";
  write("labels.csv", "file,label\na.png,3\nA.PNG,1\ngone.png,1\n");
  EXPECT_THAT(told_of_labels(list()), ElementsAre("labels from labels.csv: 1 class on 1 of 3 images",
                                                  "labels.csv also names 2 images that are not in the folder: A.PNG, "
                                                  "gone.png"));
  write("other.jsonl", "{\"file\": \"a.png\", \"label\": \"x\"}\n\n{\"image\": \"sub/b.png\", \"class\": \"y\"}\n");
  EXPECT_THAT(list("other.jsonl").labels, ElementsAre(0, -1, 1));
}

/// Two of three label lines are numbers: what is none of them would give the others other classes.
TEST_F(LabelledFilesTest, LabelsThatAreNumbersKeepTheirs) {
  for (const char* name : {"a.png", "b.png", "c.png"}) write(name);
  write("l.csv", "a.png,8.0\nb.png,008\nc.png,-1\n");
  const LabelledFiles files = list("l.csv");
  EXPECT_THAT(files.labels, ElementsAre(8, 8, -1));
  EXPECT_EQ(files.taken_as_none, 1);
  EXPECT_EQ(files.numbered, "");
  EXPECT_THAT(told_of_labels(files), ElementsAre("labels from l.csv: 1 class on 2 of 3 images",
                                                 "1 image has the label -1, which is taken as none"));
  write("l.csv", "a.png,8\nb.png,?\nc.png,3\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("l.csv, line 2: the label '?' is no number, as 2 of 3 labels are"));
  for (const char* label : {"1.5", "-2", "99999999999999999999"}) {
    write("l.csv", "a.png,8\nb.png,5\nc.png," + std::string(label) + "\n");
    EXPECT_THAT(complaint("l.csv"), HasSubstr("line 3: the label '" + std::string(label) + "' is no class"));
  }
  write("l.csv", "a.png,cat\nb.png,-1\nc.png,ant\n");
  EXPECT_THAT(list("l.csv").labels, ElementsAre(1, -1, 0));
  EXPECT_EQ(list("l.csv").numbered, "numbered by the order of their names: ant = 0, cat = 1");
}

TEST_F(LabelledFilesTest, HowFoldersAreNumberedIsTold) {
  for (const char* name : {"1/a.png", "2/a.png", "x/a.png"}) write(name);
  EXPECT_THAT(told_of_labels(list()),
              ElementsAre("labels from the names of folders: 3 classes, numbered by the order of the folders' names: "
                          "1 = 0, 2 = 1, x = 2"));
  fs::remove_all(folder_.path() / "x");
  fs::create_directory(folder_.path() / "empty");
  EXPECT_THAT(list().labels, ElementsAre(1, 2));
  EXPECT_THAT(told_of_labels(list()),
              ElementsAre("labels from the names of folders: 2 classes, numbered as the folders are named",
                          "no class, because no image lies in it: empty"));
}

TEST_F(LabelledFilesTest, ClassesOfTheCallerAreAllThatLabelsMayBe) {
  for (const char* name : {"a.png", "b.png"}) write(name);
  write("l.csv", "a.png,i\nb.png,1\n");
  const auto listed = list_files(picture_kind(), folder_.path(), folder_.path() / "l.csv", {"j", "i"});
  ASSERT_TRUE(listed) << listed.error().text();
  EXPECT_THAT(listed->labels, ElementsAre(1, 1)) << "by its name, and by its number";
  for (const char* label : {"a", "2"}) {
    write("l.csv", "a.png,i\nb.png," + std::string(label) + "\n");
    const auto files = list_files(picture_kind(), folder_.path(), folder_.path() / "l.csv", {"j", "i"});
    ASSERT_FALSE(files) << label;
    EXPECT_THAT(files.error().message, HasSubstr("l.csv, line 2: the label '" + std::string(label) +
                                                 "' is not in `classes` in culprit.yaml, which names 2 classes"));
  }
}

TEST_F(LabelledFilesTest, TheMarkOfUtf8IsPassedOver) {
  for (const char* name : {"a.png", "b.png"}) write(name);
  for (const char* text : {"\xEF\xBB\xBF"
                           "a.png,3\nb.png,4\n",
                           "\xEF\xBB\xBF\"file\",\"label\"\r\n\"a.png\",3\r\nb.png,4\r\n"}) {
    write("l.csv", text);
    EXPECT_THAT(list("l.csv").labels, ElementsAre(3, 4));
  }
  write("classes.txt",
        "\xEF\xBB\xBF"
        "cat\nant\n");
  write("l.csv", "a.png,cat\nb.png,ant\n");
  EXPECT_THAT(list("l.csv").labels, ElementsAre(0, 1));
}

TEST_F(LabelledFilesTest, LinksToFoldersAreFollowedAndEachFolderIsReadOnce) {
  for (const char* name : {"data/a/1.png", "data/c/1.png", "real/1.png"}) write(name);
  const fs::path data = folder_.path() / "data";
  fs::create_directory_symlink("../real", data / "b");
  fs::create_directory_symlink("..", data / "c" / "loop");
  fs::create_directory_symlink("nowhere", data / "gone.png");
  const auto files = list_files(picture_kind(), data);
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_THAT(all(files->names), ElementsAre("a/1.png", "b/1.png", "c/1.png"));
  EXPECT_THAT(files->labels, ElementsAre(0, 1, 2)) << "b is class 1, as torchvision has it";
  EXPECT_THAT(told_of_files(*files)[1], HasSubstr("passed over: gone.png (a link that leads to no file), c/loop "));
  fs::create_directory_symlink("a", data / "d");
  EXPECT_THAT(told_of_files(*list_files(picture_kind(), data))[1], HasSubstr("d (the same folder as a)"));
  fs::create_directories(folder_.path() / "links");
  fs::create_directory_symlink("../data/a", folder_.path() / "links" / "a");
  EXPECT_TRUE(has_files(picture_kind(), folder_.path() / "links"));
}

TEST_F(LabelledFilesTest, ALinkToATreeWithoutEndIsAnErrorThatNamesIt) {
  for (const char* name : {"data/a/1.png", "data/a/2.png", "large/b/1.png", "large/b/2.png", "large/3.png"})
    write(name);
  const fs::path data = folder_.path() / "data";
  fs::create_directory_symlink("../large", data / "c");
  std::vector<std::string> taken;
  const auto take = [&](std::string name) {
    taken.push_back(std::move(name));
    return true;
  };
  EXPECT_TRUE(walk_folder(data, take, 4)) << "a file, a folder and two files in it";
  EXPECT_EQ(taken.size(), 5U);
  taken.clear();
  const auto walked = walk_folder(data, take, 3);
  ASSERT_FALSE(walked);
  EXPECT_EQ(walked.error().kind, ErrorKind::unsupported);
  EXPECT_THAT(walked.error().message, HasSubstr("data/c is a link to a folder with more than 3 files and folders"));
  EXPECT_THAT(taken, ElementsAre("a/1.png", "a/2.png", "c/3.png")) << "and no further is it read";
  fs::create_directory_symlink("../large/b", data / "d");
  EXPECT_TRUE(walk_folder(folder_.path(), take, 0)) << "what lies in the folder itself has no limit";
}

/// As one who is not allowed to read all.
TEST_F(LabelledFilesTest, AClassThatCannotBeReadDoesNotShiftTheOthers) {
  for (const char* name : {"a/1.png", "b/1.png", "c/1.png"}) write(name);
  write("l.csv", "a/1.png,0\nc/1.png,2\n");
  fs::permissions(folder_.path(), fs::perms::all);
  fs::permissions(folder_.path() / "b", fs::perms::none);
  const auto before = static_cast<uid_t>(setfsuid(65534));
  const std::string refused = complaint();
  const LabelledFiles listed = list("l.csv");
  const auto locked = list_files(picture_kind(), folder_.path() / "b");
  setfsuid(before);
  fs::permissions(folder_.path() / "b", fs::perms::owner_all);
  EXPECT_THAT(refused, HasSubstr("b: Permission denied, and folders are the labels here"));
  EXPECT_THAT(listed.labels, ElementsAre(0, 2));
  EXPECT_THAT(told_of_files(listed).back(), HasSubstr("passed over: b (Permission denied)"));
  ASSERT_FALSE(locked);
  EXPECT_THAT(locked.error().message, HasSubstr("Permission denied"));
}

/// The same two labels, as people's programs write them.
TEST_F(LabelledFilesTest, TablesAreReadAsPeopleHaveThem) {
  for (const char* name : {"a.png", "b.png"}) write(name);
  const std::string utf16 = [] {
    std::string bytes = "\xFF\xFE";
    for (const char c : std::string_view("a.png\t3\r\nb.png\t4\r\n")) bytes += {c, '\0'};
    return bytes;
  }();
  for (const std::string& text :
       {std::string("label,file\n3,a.png\n4,b.png\n"), std::string("file;label\na.png;3\nb.png;4\n"),
        std::string("a.png\t3\nb.png\t4\n"), std::string("\n\nFilename,Class\na.png,3\nb.png,4\n"), utf16,
        std::string("./a.png,3\n/elsewhere/b.png,4\n"), std::string("a,3\nb,4\n"), std::string("id,score\na,3\nb,4\n"),
        (folder_.path() / "a.png").string() + ",3\n" + (folder_.path() / "b.png").string() + ",4\n"}) {
    write("l.csv", text);
    const LabelledFiles files = list("l.csv");
    EXPECT_THAT(files.labels, ElementsAre(3, 4)) << text;
    EXPECT_THAT(files.listed_elsewhere, IsEmpty()) << text;
  }
  write("l.csv", "id,file,label,split\n1,a.png,cat,train\n2,b.png,ant,train\n");
  EXPECT_THAT(list("l.csv").labels, ElementsAre(1, 0));
  EXPECT_THAT(told_of_labels(list("l.csv")),
              testing::Contains("l.csv: of 4 columns 'file' is the file and 'label' the label"));
  write("l.csv", "a.png;tench, Tinca tinca\nb.png;ant\n");
  EXPECT_THAT(list("l.csv").classes, ElementsAre("ant", "tench, Tinca tinca"));
}

/// As a label it would be a class of its own, and shift the numbers of those behind it.
TEST_F(LabelledFilesTest, HeadingsThatNobodyKnowsAreNoLabel) {
  for (const char* name : {"a.png", "b.png"}) write(name);
  write("l.csv", "picture,breed\na,ant\nb,cat\n");
  const LabelledFiles files = list("l.csv");
  EXPECT_THAT(files.classes, ElementsAre("ant", "cat"));
  EXPECT_THAT(told_of_labels(files), testing::Contains("l.csv: its first line (picture,breed) is taken for headings"));
  write("l.csv", "gone,ant\na,ant\nb,cat\n");
  EXPECT_THAT(list("l.csv").listed_elsewhere, ElementsAre("gone")) << "a label that others have, too";
  write("l.csv", "gone.png,bee\na,ant\nb,cat\n");
  EXPECT_THAT(list("l.csv").classes, ElementsAre("ant", "bee", "cat")) << "called as an image is";
}

TEST_F(LabelledFilesTest, SeveralClassesMayBeRightOfAPicture) {
  for (const char* name : {"a.png", "b.png", "c.png", "d.png"}) write(name);
  write("l.csv", "a.png,dog|cat\nb.png,dog\nc.png,\n");
  const LabelledFiles cells = list("l.csv");
  EXPECT_THAT(cells.labels, IsEmpty());
  using Classes = std::vector<std::int64_t>;
  EXPECT_THAT(cells.several, ElementsAre(Classes{0, 1}, Classes{1}, Classes{}, std::nullopt));
  EXPECT_THAT(told_of_labels(cells),
              ElementsAre("labels from l.csv: 2 classes of which several may be right on 3 of 4 images, numbered by "
                          "the order of their names: cat = 0, dog = 1"));
  write("l.csv", "image,dog,cat,cow\na.png,1,1,0\nb.png,1,0,0\nc.png,0,0,0\n");
  const LabelledFiles columns = list("l.csv");
  EXPECT_THAT(columns.several, ElementsAre(Classes{0, 1}, Classes{0}, Classes{}, std::nullopt));
  EXPECT_THAT(columns.classes, ElementsAre("dog", "cat", "cow"));
  EXPECT_EQ(columns.numbered, "numbered by the order of the columns: dog = 0, cat = 1, cow = 2");
  write("l.jsonl",
        "{\"file\": \"a.png\", \"labels\": [\"dog\", \"cat\"]}\n{\"file\": \"b.png\", \"label\": \"dog\"}\n"
        "{\"file\": \"c.png\", \"labels\": []}\n");
  EXPECT_THAT(list("l.jsonl").several, ElementsAre(Classes{0, 1}, Classes{1}, Classes{}, std::nullopt));
  write("l.csv", "image,dog,split\na.png,1,train\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("line 2: the column 'split' holds 'train', and not 0 or 1"));
  write("l.csv", "a.png,dog|\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("line 1: between two | there is no label"));
  write("l.csv", "a.png,dog\nb.png,\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("line 2: the file or the label is empty"));
  write("l.csv", "file,dog,dog\na.png,1,0\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("two columns have the same heading"));
  write("l.csv", "file,label,x\na.png,1\n");
  EXPECT_THAT(complaint("l.csv"), HasSubstr("line 2: it has 2 columns, and the headings are 3"));
  write("l.csv", std::string("a.png\0,1", 8));
  EXPECT_THAT(complaint("l.csv"), HasSubstr("is no text in UTF-8, nor in UTF-16 with its mark"));
}

TEST_F(LabelledFilesTest, ListsThatMakeNoSenseAreToldByLine) {
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
  EXPECT_THAT(complaint("l.csv"), HasSubstr("names none of the images"));
  write("l.jsonl", "{\"file\": \"a.png\"}\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: it has no \"label\""));
  write("l.jsonl", "{\"file\": \"a.png\", \"label\": {}}\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: its \"label\" is {}, and neither a text nor a number"));
  write("l.jsonl", "{\"file\": \"a.png\", \"label\": [1, null]}\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: its \"label\" has null, and neither a text nor a number"));
  write("l.jsonl", "{\"file\": [\"a.png\"], \"label\": 1}\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: its \"file\" is [\"a.png\"], and neither a text nor a number"));
  write("l.jsonl", "{\"file\": \"a.png\", \"label\": 3.0}\n");
  EXPECT_THAT(list("l.jsonl").labels, ElementsAre(3));
  write("l.jsonl", "nonsense\n");
  EXPECT_THAT(complaint("l.jsonl"), HasSubstr("line 1: it is no JSON object"));
  EXPECT_THAT(complaint("none.csv"), HasSubstr("none.csv"));
}

TEST_F(LabelledFilesTest, AnEmptyFolderHasNone) {
  EXPECT_EQ(list().names.size(), 0U);
  EXPECT_FALSE(has_files(picture_kind(), folder_.path()));
  EXPECT_FALSE(has_files(picture_kind(), folder_.path() / "no such folder"));
}

}  // namespace
}  // namespace culprit
