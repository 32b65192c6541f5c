// Labels of sounds follow the rules of those of pictures; words that are said are beside them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/file.h"
#include "data/sets/labelled_files.h"
#include "data/sets/told_of_files.h"
#include "data/sets/truth_of_file.h"
#include "data/sets/truth_warnings.h"

namespace culprit {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class SoundLabels : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text = "") const {
    fs::create_directories((folder_.path() / name).parent_path());
    ASSERT_TRUE(write_file_atomic(folder_.path() / name, text));
  }
  [[nodiscard]] Result<LabelledFiles> listed(const std::string& list,
                                             const std::vector<std::string>& classes = {}) const {
    return list_files(sound_kind(), folder_.path(), list.empty() ? fs::path() : folder_.path() / list, classes);
  }
  /// Of a table.
  [[nodiscard]] LabelledFiles labelled(const std::string& text, const std::string& name = "l.csv") const {
    write(name, text);
    auto files = listed(name);
    EXPECT_TRUE(files) << text << files.error().text();
    return files ? std::move(*files) : LabelledFiles{};
  }
  [[nodiscard]] std::string complaint(const std::string& text, const std::string& name = "l.csv") const {
    write(name, text);
    const auto files = listed(name);
    return files ? "fine" : files.error().message;
  }

  TemporaryFolder folder_ = TemporaryFolder::create(fs::temp_directory_path(), "culprit-sound-labels").value();
};

TEST_F(SoundLabels, SeveralClassesMayBeRight) {
  for (const char* name : {"a.wav", "b.wav", "c.flac"}) write(name);
  using Classes = std::vector<std::int64_t>;
  const LabelledFiles cells = labelled("file,label\na.wav,0|3\nb.wav,1\n");
  EXPECT_THAT(cells.several, ElementsAre(Classes{0, 3}, Classes{1}, std::nullopt));
  EXPECT_THAT(told_of_labels(cells),
              ElementsAre("labels from l.csv: 3 classes of which several may be right on 2 of 3 sounds"));
  EXPECT_EQ(truth_of_file(cells, 0).classes, (Classes{0, 3}));
  EXPECT_FALSE(truth_of_file(cells, 2).classes);
  const LabelledFiles columns = labelled("file,dog,cat\na.wav,1,1\nb.wav,0,0\n");
  EXPECT_THAT(columns.several, ElementsAre(Classes{0, 1}, Classes{}, std::nullopt));
  EXPECT_EQ(columns.numbered, "numbered by the order of the columns: dog = 0, cat = 1");
}

TEST_F(SoundLabels, NumbersAndNamesAreThoseOfPictures) {
  for (const char* name : {"a.wav", "b.wav", "c.wav"}) write(name);
  EXPECT_THAT(labelled("file,label\na.wav,1.0\nb.wav,001\nc.wav,-1\n").labels, ElementsAre(1, 1, -1));
  EXPECT_THAT(complaint("file,label\na.wav,1.0\nb.wav,2\nc.wav,x\n"),
              HasSubstr("l.csv, line 4: the label 'x' is no number, as 2 of 3 labels are"));
  const LabelledFiles named = labelled("file,label\na.wav,dog\nb.wav,cat\nc.wav,ant\n");
  EXPECT_THAT(named.labels, ElementsAre(2, 1, 0));
  EXPECT_EQ(truth_of_file(named, 0).label, "2");
  EXPECT_EQ(truth_of_file(named, 0).name, "dog");
  EXPECT_EQ(named.numbered, "numbered by the order of their names: ant = 0, cat = 1, dog = 2");
  EXPECT_THAT(listed("l.csv", {"cat", "dog", "ant"})->labels, ElementsAre(1, 0, 2));
  EXPECT_THAT(listed("l.csv", {"cat", "dog"}).error().message, HasSubstr("line 4: the label 'ant' is not in"));
}

TEST_F(SoundLabels, FoldersAreLabels) {
  for (const char* name : {"fold/c0/a.wav", "fold/c1/b.ogg", "fold/c1/deep/c.wav", "fold/notes.txt"}) write(name);
  const auto files = list_files(sound_kind(), folder_.path() / "fold");
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_THAT(files->labels, ElementsAre(0, 1, 1));
  EXPECT_EQ(truth_of_file(*files, 1).name, "c1");
  EXPECT_THAT(told_of_files(*files)[1], HasSubstr("1 other file, notes.txt"));
  EXPECT_THAT(told_of_labels(*files), ElementsAre("labels from the names of folders: 2 classes, numbered by the order "
                                                  "of the folders' names: c0 = 0, c1 = 1"));
}

/// Speakers of a corpus, where `classes` are the characters of a speech model.
TEST_F(SoundLabels, FoldersThatNoClassIsCalledAreNoLabels) {
  for (const char* name : {"84/a.wav", "dr1/b.wav"}) write(name);
  const auto files = listed("", {"a", "b"});
  ASSERT_TRUE(files) << files.error().text();
  EXPECT_FALSE(is_known(*files));
  EXPECT_THAT(told_of_labels(*files), ElementsAre(HasSubstr("the names of folders are no labels: the label '84' is ")));
}

TEST_F(SoundLabels, FoldersThatArePartsOfADataSetAreToldOf) {
  for (const char* name : {"train/a.wav", "val/b.wav"}) write(name);
  const auto warnings = warnings_of_folders(*listed(""));
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_EQ(warnings[0].code, "folders_are_splits");
  EXPECT_THAT(warnings[0].message, HasSubstr("--labels says what the sounds are"));
}

TEST_F(SoundLabels, TablesAreReadAsPeopleHaveThem) {
  for (const char* name : {"a.wav", "sub/b.wav"}) write(name);
  for (const std::string& text :
       {std::string("label,file\n3,a.wav\n4,sub/b.wav\n"), std::string("file;label\na.wav;3\nsub/b.wav;4\n"),
        std::string("a.wav\t3\nb.wav\t4\n"), std::string("./a.wav,3\n/abs/other/sub/b.wav,4\n"),
        std::string("sp/a.wav,3\nsub/b,4\n"), std::string("name,label\na,3\nb,4\n"),
        std::string("\xEF\xBB\xBF"
                    "audio,category\r\na.wav,3\r\nb.wav,4\r\n"),
        std::string("picture,breed\na,3\nb,4\n"),
        (folder_.path() / "a.wav").string() + ",3\n" + (folder_.path() / "sub" / "b.wav").string() + ",4\n"}) {
    const LabelledFiles files = labelled(text);
    EXPECT_THAT(files.labels, ElementsAre(3, 4)) << text;
    EXPECT_THAT(files.listed_elsewhere, IsEmpty()) << text;
  }
  const std::string lines = "{\"file\": \"a.wav\", \"label\": 3}\n{\"audio\": \"b.wav\", \"class\": 4}\n";
  EXPECT_THAT(labelled(lines, "labels.jsonl").labels, ElementsAre(3, 4));
  EXPECT_THAT(listed("")->labels, ElementsAre(3, 4)) << "in the folder";
}

TEST_F(SoundLabels, ListsThatMakeNoSenseAreToldByLine) {
  for (const char* name : {"a.wav", "b.wav"}) write(name);
  for (const char* column : {"label", "text"})
    EXPECT_THAT(complaint("file," + std::string(column) + "\na.wav,x\nb.wav,y\na.wav,y\n"),
                HasSubstr("l.csv, line 4: 'a.wav' has two " + std::string(column) + "s, 'x' and 'y'"));
  EXPECT_THAT(complaint("file,label\n"), HasSubstr("l.csv holds no labels"));
  EXPECT_THAT(complaint("file,text\n"), HasSubstr("l.csv holds no labels"));
  EXPECT_THAT(complaint("file,text\na.wav,x,y\n"), HasSubstr("line 2: it has 3 columns, and the headings are 2"));
  EXPECT_THAT(complaint("file,label\na.wav,x\nb.wav,\n"), HasSubstr("line 3: the file or the label is empty"));
}

TEST_F(SoundLabels, WordsAreTakenAsTheyStand) {
  for (const char* name : {"a.wav", "sub/b.wav", "c.wav"}) write(name);
  const LabelledFiles files = labelled("path;sentence\n./a.wav;this | that\nb;\n");
  EXPECT_THAT(files.texts, ElementsAre("this | that", std::nullopt, "")) << "b was silent, of c nobody knows";
  EXPECT_THAT(files.labels, IsEmpty());
  EXPECT_EQ(truth_of_file(files, 1).texts, std::nullopt);
  EXPECT_THAT(told_of_labels(files), ElementsAre("labels from l.csv: what is said on 2 of 3 sounds"));
  const LabelledFiles both = labelled("file,text,label\na.wav,one,dog\nc.wav,two,cat\n");
  EXPECT_THAT(both.texts, ElementsAre("one", "two", std::nullopt));
  EXPECT_THAT(both.labels, ElementsAre(1, 0, -1));
  EXPECT_THAT(labelled("file,text,seconds\na.wav,one,3\n").texts, Contains("one")) << "no columns of classes";
  const std::string lines = "{\"file\": \"a.wav\", \"text\": \"one\"}\n";
  EXPECT_THAT(labelled(lines, "l.jsonl").texts, ElementsAre("one", std::nullopt, std::nullopt));
  EXPECT_THAT(complaint(lines + "{\"file\": \"c.wav\"}\n", "l.jsonl"), HasSubstr("line 2: it has no \"text\""));
}

}  // namespace
}  // namespace culprit
