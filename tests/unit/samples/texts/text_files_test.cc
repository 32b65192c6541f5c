// Texts of all formats are read, and what cannot be used is left out, counted and listed.
#include "texts/text_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class TextFiles : public ::testing::Test {
 protected:
  TextFiles() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "texts-test-").value()) {}

  fs::path put(const std::string& name, const std::string& text) const {
    const fs::path file = folder_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }
  [[nodiscard]] const fs::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

std::vector<std::string> texts_in(const TextSet& set) {
  std::vector<std::string> texts;
  for (const TextItem& item : set.items) texts.push_back(item.text);
  return texts;
}

TEST_F(TextFiles, TablesAreReadByTheirHeadings) {
  const auto set = read_texts(put("reviews.csv", "id,Label,Text\na,pos,\"good, really\"\nb,neg,bad\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("good, really", "bad"));
  EXPECT_EQ("pos", set->items[0].label);
  EXPECT_EQ("a", set->items[0].name);
  EXPECT_EQ(0, set->left_out.count());
}

TEST_F(TextFiles, SpacesOfATableBelongToItsTexts) {
  const auto set = read_texts(put("reviews.csv", "id, text, label\n a ,  two lead, pos\nb,two behind  ,neg\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("  two lead", "two behind  "));
  EXPECT_EQ("pos", set->items[0].label);
  EXPECT_EQ("a", set->items[0].name);
}

TEST_F(TextFiles, ATableWithoutAHeadingForTextsIsAnError) {
  const auto set = read_texts(put("reviews.csv", "pos,good\nneg,bad\n"));
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().text(), HasSubstr("no column is called as texts are"));
}

TEST_F(TextFiles, BrokenLinesOfATableAreListedByTheirNumber) {
  const auto set = read_texts(put("reviews.csv", "text,label\ngood,1\nbad\n\" \",0\n\xff\xfe,1\nfine,1\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("good", "fine"));
  ASSERT_EQ(3, set->left_out.count());
  EXPECT_EQ("reviews.csv:3", set->left_out.listed()[0].name);
  EXPECT_EQ("it has 1 columns, and the headings are 2", set->left_out.listed()[0].reason);
  EXPECT_EQ("the text is empty", set->left_out.listed()[1].reason);
  EXPECT_EQ("it is no UTF-8", set->left_out.listed()[2].reason);
}

TEST_F(TextFiles, AQuoteThatDoesNotEndLosesItsLineAlone) {
  const auto set = read_texts(put("reviews.csv", "text,label\n5\" screen,1\n\"bad,0\n\"two\nlines\",1\nfine,1\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("5\" screen", "two\nlines", "fine"));
  ASSERT_EQ(1, set->left_out.count());
  EXPECT_EQ("reviews.csv:3", set->left_out.listed()[0].name);
  EXPECT_THAT(set->left_out.listed()[0].reason, HasSubstr("quote"));
}

TEST_F(TextFiles, TablesWithTabsMayBeWrittenWithoutQuoting) {
  for (const std::string_view text :
       {"\"It is,\t1\nthey\" said\t0\n", "\"It is,\" he said\t1\n\"So\t0\n", "\"It is,\t1\nthey said: \"\t0\n"}) {
    const auto set = read_texts(put("dev.tsv", "sentence\tlabel\n" + std::string(text)));
    ASSERT_TRUE(set) << set.error().text();
    EXPECT_EQ(2U, set->items.size()) << text;
    EXPECT_EQ(0, set->left_out.count()) << text;
    EXPECT_EQ('"', set->items[0].text[0]) << text;
    EXPECT_THAT(set->kind, HasSubstr("quotes read as characters"));
  }
}

TEST_F(TextFiles, SemicolonsOrTabsMaySeparateInACsv) {
  for (const char separator : {',', ';', '\t'}) {
    const std::string text = std::string("label") + separator + "text\n1" + separator + "\"a,b;c\td\"\n";
    const auto set = read_texts(put("reviews.csv", text));
    ASSERT_TRUE(set) << set.error().text();
    EXPECT_THAT(texts_in(*set), ElementsAre("a,b;c\td"));
    EXPECT_EQ("1", set->items[0].label);
  }
}

TEST_F(TextFiles, TablesWithTabsMayBeQuoted) {
  const auto set = read_texts(put("dev.tsv", "\"text\"\tlabel\n\"a \"\"b\"\"\"\t1\n\"c\nd\te\nf\"\t0\ng\t1\nh\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("a \"b\"", "c\nd\te\nf", "g"));
  EXPECT_EQ("table", set->kind);
}

TEST_F(TextFiles, LinesOfJsonMaySayWhatIsRight) {
  const auto set = read_texts(put("lines.jsonl",
                                  "{\"prompt\": \"Once\", \"target\": \"upon a time\"}\n\n"
                                  "{\"text\": \"no\", \"label\": 0}\n"
                                  "{\"text\": 7}\nno json\n[1]\n{\"text\": \"\\ud800\"}\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("Once", "no"));
  EXPECT_THAT(*set->items[0].right, ElementsAre("upon a time"));
  EXPECT_EQ("0", set->items[1].label);
  EXPECT_EQ("lines.jsonl:3", set->items[1].name);
  EXPECT_EQ(4, set->left_out.count());
  EXPECT_EQ("lines.jsonl:5", set->left_out.listed()[1].name);
  EXPECT_EQ("it is no JSON", set->left_out.listed()[1].reason);
}

TEST_F(TextFiles, ATextOfAnotherTypeIsNoMissingOne) {
  const auto set = read_texts(put("lines.jsonl",
                                  "{\"text\": null}\n{\"text\": 7}\n{\"review\": [\"a\"]}\n{\"words\": \"a\"}\n"
                                  "{\"text\": null, \"review\": \"good\"}\n{\"text\": null, \"review\": 7}\n"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("good"));
  ASSERT_EQ(5, set->left_out.count());
  EXPECT_EQ("its text is null, and no text", set->left_out.listed()[0].reason);
  EXPECT_EQ("its text is a number, and no text", set->left_out.listed()[1].reason);
  EXPECT_EQ("its review is a list, and no text", set->left_out.listed()[2].reason);
  EXPECT_THAT(set->left_out.listed()[3].reason, HasSubstr("none of its fields is called"));
  EXPECT_EQ("its review is a number, and no text", set->left_out.listed()[4].reason);
}

TEST_F(TextFiles, HuggingFaceSpellsAnswersInAnObject) {
  const auto set = read_texts(put("squad.jsonl",
                                  R"({"id": "7", "question": "Who?", "context": "Ada.", "answers": {"text": ["Ada"]}})"
                                  "\n"
                                  R"({"id": "8", "question": "Why?", "context": "Ada.", "answers": {"text": []}})"));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_TRUE(set->are_questions);
  EXPECT_TRUE(set->may_have_no_answer);
  EXPECT_EQ("Ada.", set->items[0].context);
  EXPECT_THAT(*set->items[0].right, ElementsAre("Ada"));
  EXPECT_TRUE(set->items[1].right->empty());
}

constexpr const char* squad_2 =
    R"({"version": "v2.0", "data": [{"title": "Ada", "paragraphs": [{"context": "Ada wrote.",
  "qas": [{"id": "1", "question": "Who wrote?", "is_impossible": false,
           "answers": [{"text": "Ada", "answer_start": 0}, {"text": "Ada", "answer_start": 0}]},
          {"id": "2", "question": "Why?", "is_impossible": true, "answers": [], "plausible_answers": [{"text": "Ada"}]},
          {"id": "3", "question": "", "is_impossible": true, "answers": []},
          {"id": "4", "question": "When?", "answers": []}]}]}]})";

TEST_F(TextFiles, SquadHasQuestionsWithoutAnAnswer) {
  const auto set = read_texts(put("dev.json", squad_2));
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_EQ("SQuAD 2.0", set->kind);
  ASSERT_EQ(2U, set->items.size());
  EXPECT_THAT(*set->items[0].right, ElementsAre("Ada"));
  EXPECT_TRUE(set->items[1].right->empty());
  ASSERT_EQ(2, set->left_out.count());
  EXPECT_EQ("the question is empty", set->left_out.listed()[0].reason);
  EXPECT_THAT(set->left_out.listed()[1].reason, HasSubstr("is_impossible"));
}

TEST_F(TextFiles, HalfASquadIsAnError) {
  const std::string whole = squad_2;
  EXPECT_THAT(read_texts(put("half.json", whole.substr(0, whole.size() / 2))).error().text(), HasSubstr("not whole"));
  EXPECT_THAT(read_texts(put("other.json", "{\"a\": 1}")).error().text(), HasSubstr("no list `data`"));
  EXPECT_THAT(read_texts(put("deep.json", std::string(100000, '['))).error().text(), HasSubstr("no JSON"));
}

TEST_F(TextFiles, FoldersOfTextsAreClasses) {
  put("imdb/pos/1_9.txt", "great");
  put("imdb/pos/0_8.txt", "fine");
  put("imdb/neg/0_1.txt", "awful");
  put("imdb/neg/1_2.txt", "");
  put("imdb/neg/2_2.txt", "caf\xe9");
  put("imdb/unsup/0_0.txt", "nobody knows");
  put("imdb/labeledBow.feat", "0 1:1");
  put("imdb/urls_pos.txt", "address");
  const auto set = read_texts(folder() / "imdb");
  ASSERT_TRUE(set) << set.error().text();
  EXPECT_THAT(texts_in(*set), ElementsAre("awful", "fine", "great"));
  EXPECT_EQ("neg", set->items[0].label);
  EXPECT_EQ("pos/0_8.txt", set->items[1].name);
  EXPECT_EQ(2, set->left_out.count());
}

TEST_F(TextFiles, WhatIsNoClassBesideClassesIsLeftOut) {
  for (const char* name : {"imdb/pos/0.txt", "imdb/neg/0.txt", "imdb/README.txt", "imdb/.ipynb_checkpoints/0.txt",
                           "imdb/__MACOSX/pos/0.txt", "imdb/assets/logo.png", "imdb/labels.csv"})
    put(name, "fine");
  const auto set = read_texts(folder() / "imdb");
  ASSERT_TRUE(set) << set.error().text();
  ASSERT_EQ(2U, set->items.size());
  EXPECT_EQ("neg", set->items[0].label);
  EXPECT_EQ("pos", set->items[1].label);
  ASSERT_EQ(2, set->left_out.count());
  EXPECT_EQ("assets", set->left_out.listed()[0].name);
  EXPECT_EQ("README.txt", set->left_out.listed()[1].name);
}

TEST_F(TextFiles, TwoSplitsInOneFolderAreAnError) {
  put("imdb/train/pos/0_9.txt", "great");
  put("imdb/test/pos/0_9.txt", "great");
  put("imdb/train/urls_pos.txt", "address");
  const auto set = read_texts(folder() / "imdb");
  ASSERT_FALSE(set);
  EXPECT_THAT(set.error().hint, HasSubstr("test"));
}

TEST_F(TextFiles, NothingOfUseIsAnErrorThatSaysWhy) {
  EXPECT_THAT(read_texts(put("none.jsonl", "x\ny\n")).error().text(), HasSubstr("none of the 2 texts is of use"));
  EXPECT_THAT(read_texts(put("empty.jsonl", "")).error().text(), HasSubstr("there is no text in it"));
  EXPECT_THAT(read_texts(put("x.parquet", "x")).error().text(), HasSubstr(".jsonl"));
}

TEST_F(TextFiles, TextsOfWindowsAreReadToo) {
  EXPECT_THAT(texts_in(*read_texts(put("mark.csv", "\xEF\xBB\xBFtext\r\ngood\r\n"))), ElementsAre("good"));
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("text\ngood\n")) wide += std::string{c, '\0'};
  EXPECT_THAT(texts_in(*read_texts(put("wide.csv", wide))), ElementsAre("good"));
}

}  // namespace
}  // namespace culprit
