// Texts as --data: how they become tokens is said, guessed, or asked for. A program stands in the place of Python.
#include "data/sets/text_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "base/file.h"
#include "texts/prepared_texts.h"

namespace culprit {
namespace {

using ::testing::HasSubstr;

class TextSets : public ::testing::Test {
 protected:
  TextSets() : work_(TemporaryFolder::create(fs::temp_directory_path(), "text-sets-").value()) {
    ::setenv("CULPRIT_CACHE", (work_.path() / "cache").c_str(), 1);
    const std::string asked = (work_.path() / "asked").string();
    put("python", "#!/bin/sh\ncat \"$4\" >> " + asked + "\necho >> " + asked +
                      "\necho '{\"tokenizer\":{},\"pad\":0}' > \"$6\"\n"
                      "while read -r line; do echo '{\"ids\":[[1]],\"mask\":[[1]],\"types\":[[0]]}' >> \"$6\"; done"
                      " < \"$5\"\n");
    fs::permissions(work_.path() / "python", fs::perms::owner_all);
    ::setenv("CULPRIT_TEXT_PYTHON", (work_.path() / "python").c_str(), 1);
    put("texts.csv", "text,label\ngood,1\nbad,0\n");
    options_.data.data = work_.path() / "texts.csv";
    model_.path = work_.path() / "models" / "model.onnx";
    takes("input_ids", {{std::nullopt, "n"}, {std::nullopt, "l"}});
  }
  ~TextSets() override {
    ::unsetenv("CULPRIT_CACHE");
    ::unsetenv("CULPRIT_TEXT_PYTHON");
  }

  void put(const std::string& name, const std::string& text) const {
    const fs::path file = work_.path() / name;
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }
  void takes(const std::string& name, const std::vector<Dim>& dims) {
    ValueInfo value;
    value.name = name;
    value.dtype = DType::i64;
    value.has_shape = true;
    value.dims = dims;
    model_.interface.inputs.push_back(value);
  }
  /// What the tokenizer's host was asked, a line for each time.
  [[nodiscard]] std::string asked() const { return read_file(work_.path() / "asked").value_or(""); }
  [[nodiscard]] std::ptrdiff_t times() const {
    const std::string text = asked();
    return std::count(text.begin(), text.end(), '\n');
  }
  std::string how() {
    const auto texts = texts_for(model_, options_);
    return texts ? texts->how : texts.error().text();
  }

  TemporaryFolder work_;
  DataSetOptions options_;
  Model model_;
};

TEST_F(TextSets, WithoutATokenizerTheWayIsTold) {
  EXPECT_THAT(how(), HasSubstr("these are texts, and models are fed with tokens"));
  EXPECT_THAT(how(), HasSubstr("culprit data prepare"));
  EXPECT_FALSE(tells_tokens(model_));
  EXPECT_EQ(times(), 0);
}

TEST_F(TextSets, ATokenizerBesideTheModelIsTakenAndTextsArePreparedOnce) {
  put("models/tokenizer.json", "{}");
  EXPECT_TRUE(tells_tokens(model_));
  const auto texts = texts_for(model_, options_);
  ASSERT_TRUE(texts) << texts.error().text();
  EXPECT_EQ(texts->how,
            "rows of at most 512 tokens by tokenizer.json, as for bert: guessed, for it lies beside the model");
  EXPECT_TRUE(texts->file.string().starts_with((work_.path() / "cache" / "texts").string())) << texts->file;
  EXPECT_EQ(PreparedTexts::open(texts->file)->facts().samples, 2);
  EXPECT_THAT(asked(), HasSubstr(R"("stride":128)"));
  EXPECT_EQ(texts_for(model_, options_)->file, texts->file);
  EXPECT_EQ(times(), 1);
  put("texts.csv", "text,label\ngood,1\n");
  EXPECT_EQ(PreparedTexts::open(texts_for(model_, options_)->file)->facts().samples, 1);
  EXPECT_EQ(times(), 2);
}

TEST_F(TextSets, AnotherModelCanBeGivenTheSameTexts) {
  put("models/tokenizer.json", "{}");
  const auto texts = texts_for(model_, options_);
  ASSERT_TRUE(texts) << texts.error().text();
  put("as-the-first.yaml", texts->preparation);
  options_.data.preprocess = (work_.path() / "as-the-first.yaml").string();
  model_.path = work_.path() / "elsewhere" / "model.onnx";
  model_.interface.inputs.front().dims = {{1, ""}, {16, ""}};
  const auto again = texts_for(model_, options_);
  ASSERT_TRUE(again) << again.error().text();
  EXPECT_EQ(again->file, texts->file);
  EXPECT_EQ(times(), 1);
}

TEST_F(TextSets, NamesOfInputsTellThePreset) {
  put("models/tokenizer.json", "{}");
  takes("decoder_input_ids", {{std::nullopt, "n"}, {std::nullopt, "m"}});
  EXPECT_THAT(how(), HasSubstr("as for t5"));
  model_.interface.inputs.pop_back();
  ValueInfo logits;
  logits.name = "logits";
  logits.dims = {{std::nullopt, "n"}, {std::nullopt, "l"}, {7, ""}};
  model_.interface.outputs.push_back(logits);
  EXPECT_THAT(how(), HasSubstr("at most 1024 tokens by tokenizer.json, as for gpt2"));
}

TEST_F(TextSets, TheModelsOwnLengthIsTheMost) {
  put("models/tokenizer.json", "{}");
  model_.interface.inputs.front().dims[1] = {40, ""};
  EXPECT_THAT(how(), HasSubstr("at most 40 tokens"));
  EXPECT_THAT(asked(), HasSubstr(R"("stride":30)"));
}

TEST_F(TextSets, WhatIsGeneratedHasPositionsToo) {
  put("models/tokenizer.json", "{}");
  put("models/config.json", R"({"n_positions": 128})");
  options_.data.preprocess = "gpt2";
  EXPECT_THAT(how(), HasSubstr("at most 128 tokens"));
  options_.data.generate = 32;
  EXPECT_THAT(how(), HasSubstr("at most 97 tokens")) << "the last one is not read";
  put("models/config.json", R"({"n_positions": 4096})");
  EXPECT_THAT(how(), HasSubstr("at most 1024 tokens"));
  put("models/config.json", "{}");
  EXPECT_THAT(how(), HasSubstr("at most 993 tokens")) << "nobody knows of more positions";
  options_.data.generate = 5000;
  EXPECT_THAT(how(), HasSubstr("at most 1024 tokens")) << "no room can be left";
  takes("decoder_input_ids", {{std::nullopt, "n"}, {std::nullopt, "m"}});
  options_.data.generate = 32;
  EXPECT_THAT(how(), HasSubstr("at most 1024 tokens")) << "a decoder has positions of its own";
  model_.interface.inputs.pop_back();
  put("mine.yaml", "preprocess: {text: {tokenizer: models/tokenizer.json, max_length: 1020}}");
  options_.data.preprocess = (work_.path() / "mine.yaml").string();
  EXPECT_THAT(how(), HasSubstr("at most 1020 tokens")) << "what a user names stays";
}

TEST_F(TextSets, TheFileBesideTheModelSaysIt) {
  put("models/t/tok.json", "{}");
  put("models/culprit.yaml", "preprocess: {text: {tokenizer: t/tok.json, max_length: 64, stride: 16}}");
  EXPECT_EQ(how(), "rows of at most 64 tokens by tok.json: as culprit.yaml beside the model says");
  EXPECT_THAT(asked(), HasSubstr(R"("stride":16)"));
  put("models/culprit.yaml", "preprocess: {text: {tokenizer: ../tok.json}}");
  put("tok.json", "{}");
  EXPECT_THAT(how(), HasSubstr("'tokenizer': "));
  EXPECT_EQ(times(), 1);
}

TEST_F(TextSets, TheUserSaysIt) {
  put("models/tokenizer.json", "{}");
  options_.data.preprocess = "t5";
  EXPECT_EQ(how(), "rows of at most 512 tokens by tokenizer.json: as --preprocess t5 says");
  options_.data.preprocess = "torchvision";
  EXPECT_THAT(how(), HasSubstr("there is no preset 'torchvision' for texts"));
  put("mine.yaml", "preprocess: {text: {tokenizer: models/tokenizer.json, max_length: 9}}");
  options_.data.preprocess = (work_.path() / "mine.yaml").string();
  EXPECT_THAT(how(), HasSubstr("at most 9 tokens"));
}

TEST_F(TextSets, LabelsStandBesideTexts) {
  put("models/tokenizer.json", "{}");
  options_.labels = "labels.csv";
  EXPECT_THAT(how(), HasSubstr("a text's label stands beside it"));
}

}  // namespace
}  // namespace culprit
