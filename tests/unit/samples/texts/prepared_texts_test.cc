// A file of prepared texts: what is written is read, and what is broken is told.
#include "texts/prepared_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

#include "base/file.h"
#include "texts/prepare_texts.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

PreparedSample question() {
  PreparedSample sample{"q1", {{2, 9, 3}, {2, 8, 3}}, {{1, 1, 1}, {1, 1, 0}}, {{0, 1, 1}, {0, 1, 1}}, "1", {}, {}};
  sample.right = {"Adä"};
  sample.text = SampleText{"Adä", {{{}, {0, 4}, {}}, {{}, {1, 4}, {}}}, true};
  sample.target = {5, 6};
  return sample;
}

class PreparedFile : public ::testing::Test {
 protected:
  PreparedFile() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "prepared-test-").value()) {
    facts_.key = "k";
    facts_.samples = 2;
    facts_.labels = {"neg", "pos"};
    facts_.may_have_no_answer = true;
    facts_.tokenizer = R"({"model":{"vocab":{"a":0}}})";
    facts_.listed = {{"x:3", "the text is empty"}};
    facts_.left_out = 1;
    facts_.positions = 512;
  }

  [[nodiscard]] Result<PreparedTexts> opened(const std::string& text) const {
    const fs::path file = folder_.path() / "t.jsonl";
    std::ofstream(file, std::ios::binary) << text;
    return PreparedTexts::open(file);
  }
  [[nodiscard]] std::string whole() const { return line_of(facts_) + line_of(question()) + line_of(question()); }
  /// What is said of a first sample like this one.
  [[nodiscard]] std::string complaint(const std::string& line) const {
    const auto texts = opened(line_of(facts_) + line + "\n" + line_of(question()));
    EXPECT_TRUE(texts) << texts.error().text();
    const auto sample = texts->at(0);
    return sample ? "nothing" : sample.error().text();
  }

  TemporaryFolder folder_;
  PreparedFacts facts_;
};

TEST_F(PreparedFile, WhatIsWrittenIsRead) {
  const auto texts = opened(whole());
  ASSERT_TRUE(texts) << texts.error().text();
  EXPECT_TRUE(PreparedTexts::is_one(texts->file()));
  EXPECT_THAT(texts->facts().labels, ElementsAre("neg", "pos"));
  EXPECT_EQ(facts_.tokenizer, texts->facts().tokenizer);
  EXPECT_EQ("the text is empty", texts->facts().listed.at(0).reason);
  EXPECT_EQ(512, texts->facts().positions);
  const auto sample = texts->at(1);
  ASSERT_TRUE(sample) << sample.error().text();
  EXPECT_EQ(question().ids, sample->ids);
  EXPECT_EQ(question().mask, sample->mask);
  EXPECT_EQ(question().types, sample->types);
  EXPECT_EQ(question().right, sample->right);
  EXPECT_EQ(question().target, sample->target);
  EXPECT_EQ(question().text->windows, sample->text->windows);
  EXPECT_TRUE(sample->text->may_have_no_answer);
}

TEST_F(PreparedFile, ALabelIsANumberOrAName) {
  const auto label = [&](const std::string& spelled) {
    const auto texts = opened(line_of(facts_) + R"({"ids": [[1]], "label": )" + spelled + "}\n" + line_of(question()));
    const auto sample = texts->at(0);
    return sample ? sample->label : sample.error().message;
  };
  EXPECT_EQ("1", label(R"("1")"));
  EXPECT_EQ("1", label("1"));
  EXPECT_EQ("1", label(R"("pos")"));
  for (const char* eight : {R"("8.0")", "8.0", R"("008")", R"("0000008")"}) EXPECT_EQ("8", label(eight)) << eight;
  for (const char* none : {"null", R"("")", "-1", R"("-1")", "-1.0"}) EXPECT_EQ("", label(none)) << none;
  for (const char* other : {R"("good")", "1.5", "1000000", R"(["pos"])", "true"})
    EXPECT_THAT(label(other), HasSubstr("no number of a class, and no name among 'labels'")) << other;
}

TEST_F(PreparedFile, WhatAnEncoderGaveIsReadAsItWasWritten) {
  PreparedSample sample = question();
  sample.encoded = Tensor::of<float>({2, 4, 1}, {1, -2, 0.5F, 3, 4, 5, 6, std::numeric_limits<float>::quiet_NaN()});
  facts_.samples = 1;
  facts_.encoder = "encoder_model.onnx";
  const auto texts = opened(line_of(facts_) + line_of(sample));
  ASSERT_TRUE(texts) << texts.error().text();
  EXPECT_EQ("encoder_model.onnx", texts->facts().encoder);
  const auto read = texts->at(0);
  ASSERT_TRUE(read) << read.error().text();
  ASSERT_TRUE(read->encoded);
  EXPECT_TRUE(read->encoded->identical(*sample.encoded));
}

TEST_F(PreparedFile, SizesOfWhatAnEncoderGaveAreNotBelieved) {
  const auto said_of = [&](const std::string& shape, const std::string& numbers) {
    return complaint(R"({"ids": [[1, 2]], "encoded": {"shape": )" + shape + R"(, "f32": )" + numbers + "}}");
  };
  const std::string two = R"("AAAAAAAAAAA=")";  // floats
  EXPECT_EQ("nothing", said_of("[1, 2, 1]", two));
  EXPECT_THAT(said_of("[1, 2, 2]", two), HasSubstr("'encoded' has not as many numbers as its sizes say"));
  EXPECT_THAT(said_of("[1, 2, -1]", two), HasSubstr("not as many numbers"));
  EXPECT_THAT(said_of("[1, 4611686018427387904, 4]", two), HasSubstr("not as many numbers"));
  EXPECT_THAT(said_of("[2, 2, 1]", two), HasSubstr("a row for each row of tokens"));
  EXPECT_THAT(said_of("[1, 1, 2]", two), HasSubstr("a place for each token"));
  EXPECT_THAT(said_of("[2, 1]", two), HasSubstr("three sizes"));
  EXPECT_THAT(said_of("[1, 2, 1.5]", two), HasSubstr("no numbers"));
  EXPECT_THAT(said_of("[1, 2, 1]", R"("AAAAAAAAAAB=")"), HasSubstr("no base64"));
  EXPECT_THAT(said_of("[1, 2, 1]", "[0, 0]"), HasSubstr("has no numbers"));
}

TEST_F(PreparedFile, HalfAFileIsAnError) {
  const std::string text = whole();
  for (const std::size_t size : {text.size() - 1, text.size() / 2, text.find('\n') + 1})
    EXPECT_THAT(opened(text.substr(0, size)).error().text(), HasSubstr("not whole")) << size;
  EXPECT_THAT(opened("").error().text(), HasSubstr("no prepared texts"));
  EXPECT_THAT(opened("{\"culprit_texts\":2}\n").error().text(), HasSubstr("version 2"));
}

TEST_F(PreparedFile, ALineThatMakesNoSenseCostsThatSample) {
  EXPECT_THAT(complaint("nonsense"), HasSubstr("line 2: it is no JSON object"));
  EXPECT_THAT(complaint("{}"), HasSubstr("it has no tokens"));
  EXPECT_THAT(complaint(R"({"ids":[["a"]]})"), HasSubstr("it has no tokens"));
  EXPECT_THAT(complaint(R"({"ids":[[1,2]],"mask":[[1]]})"), HasSubstr("'mask' is not a number for each token"));
  const std::string good = R"({"ids":[[1]],"mask":[[1]],"types":[[0]],"context":"ab","places":)";
  EXPECT_THAT(complaint(good + "[[[0,3]]]}"), HasSubstr("does not lie in its context"));
  EXPECT_THAT(complaint(good + "[[[-1,1]]]}"), HasSubstr("does not lie in its context"));
  EXPECT_THAT(complaint(good + "[[[2,1]]]}"), HasSubstr("does not lie in its context"));
  EXPECT_THAT(complaint(good + "[[]]}"), HasSubstr("not one place for each token"));
  EXPECT_EQ("nothing", complaint(good + "[[[0,2]]]}"));
  EXPECT_EQ("nothing", complaint(R"({"ids":[[1,2]]})")) << "all tokens count where nothing is said of a mask";
  const std::string accent = R"({"ids":[[1]],"context":"é","places":)";
  EXPECT_EQ("nothing", complaint(accent + "[[[0,2]]]}"));
  EXPECT_THAT(complaint(accent + "[[[0,1]]]}"), HasSubstr("does not lie in its context")) << "half a character";
}

TEST_F(PreparedFile, TheKeyTellsContentsAndFlagsApart) {
  const fs::path folder = folder_.path();
  std::ofstream(folder / "tokenizer.json") << "{}";
  std::ofstream(folder / "a.csv") << "text\na\n";
  std::ofstream(folder / "b.csv") << "text\nb\n";
  const TextPreparation plain{folder};
  const auto key = key_of(folder / "a.csv", plain);
  ASSERT_TRUE(key) << key.error().text();
  EXPECT_EQ(*key, *key_of(folder / "a.csv", plain));
  EXPECT_NE(*key, *key_of(folder / "b.csv", plain));
  EXPECT_NE(*key, *key_of(folder / "a.csv", {folder, 5}));
  TextPreparation with_encoder = plain;
  with_encoder.encoder = "hash of one";
  EXPECT_NE(*key, *key_of(folder / "a.csv", with_encoder));
  std::ofstream(folder / "tokenizer.json") << "[]";
  EXPECT_NE(*key, *key_of(folder / "a.csv", plain));
  EXPECT_THAT(key_of(folder / "a.csv", {folder / "none"}).error().text(), HasSubstr("there is no tokenizer"));
}

TEST_F(PreparedFile, WithoutThePackageItIsToldWhatBringsIt) {
  const fs::path folder = folder_.path();
  std::ofstream(folder / "tokenizer.json") << "{}";
  std::ofstream(folder / "a.csv") << "text\na\n";
  PrepareTools tools;
  tools.scratch = folder;
  tools.python = "there-is-no-such-python";
  const auto made = prepare_texts(folder / "a.csv", {folder}, folder / "out.jsonl", tools);
  ASSERT_FALSE(made);
  EXPECT_EQ(ErrorKind::unsupported, made.error().kind);
  EXPECT_THAT(made.error().hint, HasSubstr("scripts/setup text"));
  EXPECT_FALSE(fs::exists(folder / "out.jsonl"));
}

}  // namespace
}  // namespace culprit
