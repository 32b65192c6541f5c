// Texts are prepared by a tokenizer, once, in a step of its own or where a command needs them.
#include "eval_texts.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;

class PreparesTexts : public EvalTexts {};

TEST_F(PreparesTexts, TextsThatNobodyPreparedAreToldSo) {
  put("raw/pos/1.txt", "good");
  put("raw/neg/1.txt", "bad");
  const Ran ran = eval({sentiment("a.onnx"), "--data", path("raw")});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("culprit data prepare"));
}

TEST_F(PreparesTexts, AnEncoderReadsTextsOnce) {
  if (!has_tokenizers()) GTEST_SKIP() << "no Python with tokenizers: scripts/setup text";
  put("tokenizer.json",
      R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
    "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
    "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "bad": 1, "good": 2, "film": 3}}})");
  put("t.jsonl", "{\"text\": \"good bad\", \"target\": \"bad\"}\n{\"text\": \"film\"}\n{\"text\": \"bad\"}\n");
  const auto prepare = [&] {
    return culprit({"data", "prepare", path("t.jsonl"), "--tokenizer", path("tokenizer.json"), "--encoder",
                    path("encoder_model.onnx"), "-o", path("p.jsonl")});
  };
  encoder("encoder_model.onnx");
  const Ran first = prepare();
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("2 texts of t.jsonl"));
  EXPECT_THAT(first.out, HasSubstr("the encoder fails on it"));
  EXPECT_THAT(prepare().out, HasSubstr("nothing was to be done"));
  const auto texts = PreparedTexts::open(path("p.jsonl"));
  ASSERT_TRUE(texts) << texts.error().text();
  EXPECT_EQ(texts->facts().encoder, "encoder_model.onnx");
  EXPECT_TRUE(texts->at(0)->encoded->identical(Tensor::of<float>({1, 2, 2}, {0, 7, 9, 0}))) << "not of its target";
  EXPECT_TRUE(texts->at(1)->encoded->identical(Tensor::of<float>({1, 1, 2}, {9, 0})));
  const Ran ran = eval({lone_decoder("decoder_model.onnx"), "--data", path("p.jsonl"), "--generate", "4"});
  EXPECT_EQ(ran.exit, 0) << ran.err;
  model("encoder_model.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (int64[batch,length] input_ids) => (float[batch,length] last_hidden_state) { last_hidden_state = Cast<to = 1>(input_ids) })");
  const Ran unfit = prepare();
  EXPECT_EQ(unfit.exit, 2) << "another encoder is another preparation";
  EXPECT_THAT(unfit.err, HasSubstr("no output has floats [N,L,D]"));
}

TEST_F(PreparesTexts, TextsAreCutOnTheSideThatTheTokenizerNames) {
  if (!has_tokenizers()) GTEST_SKIP() << "no Python with tokenizers: scripts/setup text";
  const auto put_tokenizer = [&](const std::string& truncation) {
    put("tokenizer.json", R"({"version": "1.0", "truncation": )" + truncation +
                              R"(, "padding": null, "added_tokens": [], "normalizer": null,
      "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
      "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "bad": 1, "good": 2, "film": 3}}})");
  };
  put("t.jsonl", "{\"text\": \"good bad film\"}\n{\"text\": \"film\"}\n");
  const auto kept = [&] {
    const Ran ran = culprit({"data", "prepare", path("t.jsonl"), "--tokenizer", path("tokenizer.json"), "--max-length",
                             "2", "-o", path("p.jsonl")});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    const auto texts = PreparedTexts::open(path("p.jsonl"));
    EXPECT_EQ(texts->facts().cut, 1);
    return texts->at(0)->ids;
  };
  put_tokenizer("null");
  EXPECT_EQ(kept(), (TokenRows{{2, 1}}));
  put("tokenizer_config.json", R"({"truncation_side": "left"})");
  EXPECT_EQ(kept(), (TokenRows{{1, 3}})) << "another side is another preparation";
  put("tokenizer_config.json", R"({"truncation_side": "up"})");
  EXPECT_EQ(kept(), (TokenRows{{2, 1}}));
  put_tokenizer(R"({"direction": "Left", "max_length": 512, "strategy": "LongestFirst", "stride": 0})");
  EXPECT_EQ(kept(), (TokenRows{{1, 3}}));
  put("tokenizer_config.json", R"({"truncation_side": "right"})");
  EXPECT_EQ(kept(), (TokenRows{{2, 1}})) << "the configuration is asked first, as transformers does";
}

TEST_F(PreparesTexts, AStrideThatLeavesNothingIsRefused) {
  if (!has_tokenizers()) GTEST_SKIP() << "no Python with tokenizers: scripts/setup text";
  put("tokenizer.json", R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [],
    "normalizer": null, "pre_tokenizer": {"type": "Whitespace"}, "decoder": null,
    "post_processor": {"type": "BertProcessing", "sep": ["film", 3], "cls": ["bad", 1]},
    "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "bad": 1, "good": 2, "film": 3}}})");
  put("t.csv", "text\ngood film\n");
  const auto prepared = [&](const char* stride) {
    return culprit({"data", "prepare", path("t.csv"), "--tokenizer", path("tokenizer.json"), "--max-length", "5",
                    "--stride", stride, "-o", path("p.jsonl")});
  };
  const Ran refused = prepared("3");
  EXPECT_EQ(refused.exit, 2);
  EXPECT_THAT(refused.err, HasSubstr("a stride of 3 leaves nothing of 5 tokens, of which 2 are the tokenizer's own"));
  EXPECT_FALSE(fs::exists(path("p.jsonl")));
  EXPECT_EQ(prepared("2").exit, 0);
}

/// With the Python package tokenizers, where there is one.
TEST_F(PreparesTexts, TextsArePreparedOnce) {
  if (!has_tokenizers()) GTEST_SKIP() << "no Python with tokenizers: scripts/setup text";
  put("tokenizer.json",
      R"({"version": "1.0", "truncation": null, "padding": null, "added_tokens": [], "normalizer": null,
    "pre_tokenizer": {"type": "Whitespace"}, "post_processor": null, "decoder": null,
    "model": {"type": "WordLevel", "unk_token": "?", "vocab": {"?": 0, "bad": 1, "good": 2, "film": 3}}})");
  put("imdb/pos/1_9.txt", "good film");
  put("imdb/neg/1_1.txt", "bad film");
  put("imdb/neg/2_1.txt", "  ");
  const std::vector<std::string> words{"data", "prepare",      path("imdb"), "--tokenizer", path("tokenizer.json"),
                                       "-o",   path("p.jsonl")};
  const Ran first = culprit(words);
  ASSERT_EQ(first.exit, 0) << first.err;
  EXPECT_THAT(first.out, HasSubstr("2 texts of imdb"));
  EXPECT_THAT(first.out, HasSubstr("left out: 1 text"));
  EXPECT_THAT(culprit(words).out, HasSubstr("nothing was to be done"));
  // The tokenizer beside the model does the same, for a second model without one, too.
  fs::create_directory(path("other"));
  fs::copy_file(sentiment("a.onnx"), path("other/b.onnx"));
  for (const char* data : {"p.jsonl", "imdb"}) {
    const Ran ran = eval({path("a.onnx"), path("other/b.onnx"), "--data", path(data)});
    ASSERT_EQ(ran.exit, 0) << ran.err;
    EXPECT_EQ(ran.report["models"][0]["against_labels"]["top1"]["value"], 1);
    EXPECT_EQ(ran.report["models"][1]["changed"], 0) << ran.out;
  }
}

}  // namespace
}  // namespace culprit::testing
