// Prepared texts as samples: which input gets which numbers, and in which sizes.
#include "data/sets/token_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "base/file.h"
#include "data/sets/token_inputs.h"
#include "texts/prepared_texts.h"

namespace culprit {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* words_of_animals =
    R"({"version": "1.0", "added_tokens": [{"id": 0, "content": "</s>", "special": true}],
  "decoder": null, "model": {"type": "WordLevel", "unk_token": "</s>", "vocab": {"</s>": 0, "a": 1, "cat": 2, "sat": 3}}})";

ValueInfo value_info(const std::string& name, DType type, const std::vector<Dim>& dims) {
  ValueInfo value;
  value.name = name;
  value.dtype = type;
  value.has_shape = true;
  value.dims = dims;
  return value;
}

const std::vector<Dim> open_rows{{std::nullopt, "batch"}, {std::nullopt, "sequence"}};
const std::vector<Dim> open_scores{{std::nullopt, "batch"}, {std::nullopt, "sequence"}, {4, ""}};

std::vector<std::int64_t> numbers_in(const Sample& sample, const std::string& name) {
  const Tensor* value = find_value(sample.inputs, name);
  std::vector<std::int64_t> numbers;
  for (std::int64_t i = 0; value != nullptr && i < value->count(); ++i)
    numbers.push_back(static_cast<std::int64_t>(value->number(i)));
  return numbers;
}

std::string part_in(const Sample& sample, const std::string& name) {
  const auto found = std::ranges::find(sample.inputs, name, &NamedTensor::name);
  return found == sample.inputs.end() ? "?" : found->part;
}

class TokenSource : public ::testing::Test {
 protected:
  TokenSource() : folder_(TemporaryFolder::create(fs::temp_directory_path(), "tokens-test-").value()) {
    model_.path = folder_.path() / "model.onnx";
    facts_.pad = 0;
    facts_.end = 0;
    facts_.tokenizer = words_of_animals;
    facts_.have_targets = true;
    sample_ = PreparedSample{"one", {{1, 2}}, {{1, 1}}, {{0, 1}}, "1", {}, {}, {3, 0}};
  }

  void takes(const std::string& name, DType type, const std::vector<Dim>& dims = open_rows) {
    model_.interface.inputs.push_back(value_info(name, type, dims));
  }
  void gives(const std::string& name, const std::vector<Dim>& dims) {
    model_.interface.outputs.push_back(value_info(name, DType::f32, dims));
  }

  Result<std::unique_ptr<SampleSource>> open(std::int64_t generate = 0, std::vector<NamedTensor> given = {}) {
    facts_.samples = 1;
    const fs::path file = folder_.path() / "texts.jsonl";
    std::ofstream(file, std::ios::binary) << line_of(facts_) << line_of(sample_);
    return open_tokens({file, ""}, model_, {std::move(given), generate, classes_});
  }
  Sample first(std::int64_t generate = 0) {
    const auto source = open(generate);
    EXPECT_TRUE(source) << (source ? "" : source.error().text());
    const auto sample = (*source)->at(0, {});
    EXPECT_TRUE(sample) << (sample ? "" : sample.error().text());
    return *sample;
  }

  TemporaryFolder folder_;
  Model model_;
  PreparedFacts facts_;
  PreparedSample sample_;
  std::vector<std::string> classes_;
};

TEST_F(TokenSource, InputsAreFedByTheirNames) {
  takes("model/input_ids:0", DType::i64);
  takes("attention_mask", DType::f32);
  takes("segment_ids", DType::i32);
  takes("position_ids", DType::i64);
  gives("pooled", {{std::nullopt, ""}, {2, ""}});
  const Sample sample = first();
  EXPECT_THAT(numbers_in(sample, "model/input_ids:0"), ElementsAre(1, 2));
  EXPECT_THAT(numbers_in(sample, "segment_ids"), ElementsAre(0, 1));
  EXPECT_THAT(numbers_in(sample, "position_ids"), ElementsAre(0, 1));
  EXPECT_EQ(DType::f32, find_value(sample.inputs, "attention_mask")->dtype());
  EXPECT_EQ(DType::i32, find_value(sample.inputs, "segment_ids")->dtype());
}

TEST_F(TokenSource, RowsAreFilledUpToTheModelsSize) {
  facts_.pad = 9;
  takes("input_ids", DType::i64, {{1, ""}, {4, ""}});
  takes("attention_mask", DType::i64, {{1, ""}, {4, ""}});
  sample_.text = SampleText{"a cat", {{{0, 1}, {2, 5}}}};
  const Sample sample = first();
  EXPECT_THAT(numbers_in(sample, "input_ids"), ElementsAre(1, 2, 9, 9));
  EXPECT_THAT(numbers_in(sample, "attention_mask"), ElementsAre(1, 1, 0, 0));
  EXPECT_EQ(4U, (*open())->text(0)->windows[0].size());
}

TEST_F(TokenSource, WhatDoesNotFitTheModelIsABadSample) {
  takes("input_ids", DType::i64, {{1, ""}, {1, ""}});
  const auto sample = (*open())->at(0, {});
  ASSERT_FALSE(sample);
  EXPECT_EQ(ErrorKind::bad_input, sample.error().kind);
  EXPECT_THAT(sample.error().text(), HasSubstr("it has 2 tokens, and input 'input_ids' takes 1"));
}

TEST_F(TokenSource, AnInputThatNobodyKnowsMustBeGiven) {
  takes("input_ids", DType::i64);
  takes("temperature", DType::f32, {});
  EXPECT_THAT(open().error().text(), HasSubstr("input 'temperature'"));
  EXPECT_TRUE(open(0, {{"temperature", Tensor::of<float>({}, {1})}}));
  model_.interface.inputs.erase(model_.interface.inputs.begin());
  EXPECT_THAT(open(0, {{"temperature", Tensor::of<float>({}, {1})}}).error().text(), HasSubstr("no input of tokens"));
}

TEST_F(TokenSource, AModelThatTellsWhatComesNextReadsTheTargetToo) {
  takes("input_ids", DType::i64);
  takes("attention_mask", DType::i64);
  gives("logits", open_scores);
  const Sample sample = first();
  EXPECT_THAT(numbers_in(sample, "input_ids"), ElementsAre(1, 2, 3, 0));
  EXPECT_THAT(numbers_in(sample, "attention_mask"), ElementsAre(1, 1, 1, 1));
  const auto text = (*open())->text(0);
  ASSERT_TRUE(text);
  EXPECT_EQ(1, text->first_predicted) << "the last token of the prompt tells the first of the target";
  EXPECT_THAT(text->target, ElementsAre(3, 0));
  EXPECT_NE(nullptr, text->decoder);
}

TEST_F(TokenSource, ADecoderIsFedWithTheTargetMovedOnByOne) {
  takes("input_ids", DType::i64);
  takes("decoder_input_ids", DType::i64);
  gives("logits", open_scores);
  facts_.pad = 7;
  const Sample sample = first();
  EXPECT_THAT(numbers_in(sample, "input_ids"), ElementsAre(1, 2));
  EXPECT_THAT(numbers_in(sample, "decoder_input_ids"), ElementsAre(7, 3));
  EXPECT_EQ(0, (*open())->text(0)->first_predicted);
  const Sample written = first(5);
  EXPECT_THAT(numbers_in(written, "decoder_input_ids"), ElementsAre(7));
  EXPECT_EQ("", part_in(written, "input_ids")) << "what the encoder reads stays";
  EXPECT_EQ(token_part({5, 0, "logits", false}), part_in(written, "decoder_input_ids"));
  facts_.first = 2;
  EXPECT_THAT(numbers_in(first(), "decoder_input_ids"), ElementsAre(2, 3)) << "a decoder may begin with another token";
}

TEST_F(TokenSource, ADecoderThatStandsAloneIsFedWithWhatAnEncoderGave) {
  takes("encoder_attention_mask", DType::i64);
  takes("input_ids", DType::i64);
  takes("position_ids", DType::i64);
  takes("encoder_hidden_states", DType::f16, {{std::nullopt, ""}, {std::nullopt, ""}, {1, ""}});
  gives("logits", open_scores);
  facts_.pad = 7;
  EXPECT_EQ(ErrorKind::usage, open().error().kind);
  EXPECT_THAT(open().error().text(), HasSubstr("the texts were prepared without an encoder"));
  EXPECT_THAT(open().error().text(), HasSubstr("culprit data prepare --encoder encoder_model.onnx"));
  sample_.encoded = Tensor::of<float>({1, 3, 1}, {1, 2, 3});  // of an encoder with a size of its own
  const Sample sample = first();
  EXPECT_THAT(numbers_in(sample, "encoder_hidden_states"), ElementsAre(1, 2, 3));
  EXPECT_EQ(DType::f16, find_value(sample.inputs, "encoder_hidden_states")->dtype());
  EXPECT_THAT(numbers_in(sample, "encoder_attention_mask"), ElementsAre(1, 1, 0));
  EXPECT_THAT(numbers_in(sample, "input_ids"), ElementsAre(7, 3)) << "the target, moved on by one";
  EXPECT_THAT(numbers_in(sample, "position_ids"), ElementsAre(0, 1));
  const Sample written = first(5);
  EXPECT_THAT(numbers_in(written, "input_ids"), ElementsAre(7));
  EXPECT_EQ(token_part({5, 0, "logits", false}), part_in(written, "input_ids"));
  EXPECT_EQ(more_numbers_part, part_in(written, "position_ids"));
  EXPECT_EQ("", part_in(written, "encoder_hidden_states"));
  EXPECT_EQ("", part_in(written, "encoder_attention_mask"));
  sample_.encoded = Tensor::of<float>({1, 2, 2}, {1, 2, 3, 4});
  EXPECT_THAT((*open())->at(0, {}).error().text(), HasSubstr("is [1,2,2], and input 'encoder_hidden_states' takes 1"));
}

TEST_F(TokenSource, AnEncoderReadsEachTextAlone) {
  takes("input_ids", DType::i64);
  gives("states", {{std::nullopt, ""}, {std::nullopt, ""}, {8, ""}});
  EXPECT_THAT(numbers_in(first(), "input_ids"), ElementsAre(1, 2, 3, 0)) << "those could be scores";
  const auto source = open_encoder_tokens(folder_.path() / "texts.jsonl", model_);
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_THAT(numbers_in(*(*source)->at(0, {}), "input_ids"), ElementsAre(1, 2));
  model_.interface.outputs.front().name = "last_hidden_state";
  EXPECT_THAT(numbers_in(first(), "input_ids"), ElementsAre(1, 2));
}

TEST_F(TokenSource, ACacheOfWhatAnEncoderGaveIsRefused) {
  takes("input_ids", DType::i64);
  takes("encoder_attention_mask", DType::i64);
  const std::vector<Dim> cache{{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "past"}, {8, ""}};
  takes("past_key_values.0.encoder.key", DType::f32, cache);
  gives("logits", open_scores);
  gives("present.0.encoder.key", cache);
  EXPECT_THAT(open(3).error().text(), HasSubstr("give a decoder that makes it itself"));
}

TEST_F(TokenSource, AMergedDecoderIsToldWhetherThereIsACache) {
  takes("encoder_attention_mask", DType::i64);
  takes("input_ids", DType::i64);
  takes("encoder_hidden_states", DType::f32, {{std::nullopt, ""}, {std::nullopt, ""}, {1, ""}});
  const std::vector<Dim> of_text{{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "encoder_sequence_length"}, {8, ""}};
  const std::vector<Dim> past{{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "past_sequence_length"}, {8, ""}};
  takes("past_key_values.0.decoder.key", DType::f32, past);
  takes("past_key_values.0.encoder.key", DType::f32, of_text);
  takes("use_cache_branch", DType::boolean, {{1, ""}});
  gives("logits", open_scores);
  gives("present.0.decoder.key", past);
  gives("present.0.encoder.key", of_text);
  sample_.encoded = Tensor::of<float>({1, 2, 1}, {1, 2});
  const Sample sample = first(3);
  EXPECT_THAT(numbers_in(sample, "use_cache_branch"), ElementsAre(0));
  EXPECT_EQ(then_true_part, part_in(sample, "use_cache_branch"));
  EXPECT_EQ(first_of_part("present.0.encoder.key"), part_in(sample, "past_key_values.0.encoder.key"));
  EXPECT_EQ(state_part("present.0.decoder.key"), part_in(sample, "past_key_values.0.decoder.key"));
  EXPECT_EQ((Shape{1, 4, 0, 8}), find_value(sample.inputs, "past_key_values.0.decoder.key")->shape());
  EXPECT_EQ(token_part({3, 0, "logits", true}), part_in(sample, "input_ids"));
  EXPECT_THAT(numbers_in(first(), "input_ids"), ElementsAre(0, 3)) << "without --generate all at once";
  EXPECT_EQ("", part_in(first(), "use_cache_branch"));
}

TEST_F(TokenSource, ACacheBeginsEmptyAndIsFedBack) {
  takes("input_ids", DType::i64);
  takes("attention_mask", DType::i64);
  takes("position_ids", DType::i64);
  const std::vector<Dim> cache{{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "past_sequence_length"}, {8, ""}};
  takes("past_key_values.0.key", DType::f32, cache);
  gives("logits", open_scores);
  gives("present.0.key", {{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "total"}, {8, ""}});
  const Sample sample = first(3);
  EXPECT_EQ((Shape{1, 4, 0, 8}), find_value(sample.inputs, "past_key_values.0.key")->shape());
  EXPECT_EQ(token_part({3, 0, "logits", true}), part_in(sample, "input_ids"));
  EXPECT_EQ(more_ones_part, part_in(sample, "attention_mask"));
  EXPECT_EQ(next_number_part, part_in(sample, "position_ids"));
  EXPECT_EQ(".state=present.0.key", part_in(sample, "past_key_values.0.key"));
  EXPECT_THAT(part_in(first(0), "past_key_values.0.key"), IsEmpty()) << "one run, in which nothing is fed back";
}

TEST_F(TokenSource, RowsOfASizeOfTheirOwnAreGoneOnWithInTheirPlaces) {
  takes("input_ids", DType::i64, {{1, ""}, {4, ""}});
  takes("attention_mask", DType::i64, {{1, ""}, {4, ""}});
  gives("logits", {{1, ""}, {4, ""}, {4, ""}});
  const Sample sample = first(3);
  EXPECT_THAT(numbers_in(sample, "input_ids"), ElementsAre(1, 2, 0, 0));
  EXPECT_EQ(token_part({3, 0, "logits", false, 2}), part_in(sample, "input_ids"));
  EXPECT_EQ(more_ones_part, part_in(sample, "attention_mask"));
  EXPECT_EQ(0, (*open(3))->text(0)->end);
  EXPECT_THAT((*open(4))->at(0, {}).error().text(), HasSubstr("it has 2 tokens, 4 are to be generated"));
  const std::vector<Dim> cache{{std::nullopt, "batch"}, {4, ""}, {std::nullopt, "past_sequence_length"}, {8, ""}};
  takes("past_key_values.0.key", DType::f32, cache);
  gives("present.0.key", cache);
  EXPECT_THAT(open(2).error().text(), HasSubstr("has a cache, and takes 4 tokens at every step"));
}

TEST_F(TokenSource, WhatFollowsATextNeedsPositionsToo) {
  takes("input_ids", DType::i64);
  gives("logits", open_scores);
  const auto why = [&](std::int64_t generate) {
    const auto source = open(generate);
    if (!source) return source.error().text();
    const auto sample = (*source)->at(0, {});
    return sample ? "" : sample.error().text();
  };
  EXPECT_EQ("", why(100)) << "nobody says how many there are";
  facts_.positions = 4;
  EXPECT_EQ("", why(3)) << "the last token is not read";
  EXPECT_EQ(
      "it has 2 tokens, 4 are to be generated, and the model has 4 positions. culprit data prepare "
      "--max-length 1",
      why(4));
  EXPECT_EQ("--generate 5: the model has 4 positions", why(5));
  EXPECT_EQ("", why(0));
  facts_.positions = 3;
  EXPECT_THAT(why(0), HasSubstr("it has 2 tokens, 2 are right to follow, and the model has 3 positions"));
  std::ofstream(folder_.path() / "config.json") << R"({"n_positions": 5})";
  EXPECT_EQ("", why(4)) << "the model's own configuration says it better";
  takes("decoder_input_ids", DType::i64);
  EXPECT_EQ("", why(100)) << "a decoder has positions of its own";
}

TEST_F(TokenSource, OnlyWhatTellsWhatComesNextCanWrite) {
  takes("input_ids", DType::i64);
  gives("pooled", {{std::nullopt, ""}, {2, ""}});
  EXPECT_THAT(open(3).error().text(), HasSubstr("no output tells what comes next"));
}

TEST_F(TokenSource, LabelsHaveTheNamesOfTheData) {
  takes("input_ids", DType::i64);
  facts_.labels = {"neg", "pos"};
  const Truth truth = (*open())->truth(0);
  EXPECT_EQ("1", truth.label);
  EXPECT_EQ("pos", truth.name);
}

TEST_F(TokenSource, LabelsAreTheClassesThatCulpritYamlLists) {
  takes("input_ids", DType::i64);
  facts_.labels = {"neg", "pos"};
  facts_.numbered = "numbered by the order of their names: neg = 0, pos = 1";
  EXPECT_EQ("1", (*open())->truth(0).label);
  classes_ = {"pos", "none", "neg"};
  const auto source = open();
  ASSERT_TRUE(source) << source.error().text();
  EXPECT_EQ("0", (*source)->truth(0).label);
  EXPECT_EQ("pos", (*source)->truth(0).name);
  EXPECT_EQ(classes_, text_classes(**source));
  EXPECT_THAT((*source)->description(), ::testing::Contains("labels numbered by `classes` in culprit.yaml"));
  classes_ = {"Pos", "Neg"};
  EXPECT_THAT(open().error().text(), HasSubstr("the label 'neg' is not in `classes` in culprit.yaml, which names 2"));
}

TEST_F(TokenSource, LabelsAreTheClassesOfConfigJson) {
  takes("input_ids", DType::i64);
  facts_.has_truth = true;
  facts_.labels = {"neg", "pos"};
  const auto truth_with = [&](const std::string& names) {
    std::ofstream(folder_.path() / "config.json") << R"({"id2label": )" << names << "}";
    const auto source = open();
    EXPECT_TRUE(source) << source.error().text();
    return (*source)->truth(0).label + " " + (*source)->truth(0).name + ", " + (*source)->description().back();
  };
  EXPECT_EQ("0 POS, labels numbered by id2label in config.json beside the model: POS, NEG",
            truth_with(R"({"0": "POS", "1": "NEG"})"));
  EXPECT_THAT(truth_with(R"({"0": "yes", "1": "no"})"), HasSubstr("1 pos, config.json beside the model names other"));
  for (const char* nothing : {R"({"0": "LABEL_0", "1": "LABEL_1"})", "null"})
    EXPECT_EQ("1 pos, classes: neg, pos", truth_with(nothing)) << nothing;
  for (const char* odd : {R"({"0": "POS", "2": "NEG"})", R"({"0": 1})", R"(["POS", "NEG"])", "{"})
    EXPECT_THAT(truth_with(odd), HasSubstr("1 pos, id2label in config.json beside the model does not name")) << odd;
  facts_.labels.clear();
  EXPECT_THAT(truth_with(R"({"0": "POS", "1": "NEG"})"), HasSubstr("1 NEG, ")) << "a number stays";
}

}  // namespace
}  // namespace culprit
