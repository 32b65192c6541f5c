// Texts and sounds from end to end: prepared, fed, read and written by small models whose answers are known.
#include <fstream>

#include "base/cache_folder.h"
#include "eval_folder.h"
#include "texts/prepared_texts.h"
#include "unit/values/sound/made_sound.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class EvalTexts : public Eval {
 protected:
  void put(const std::string& name, const std::string& text) {
    fs::create_directories(fs::path(path(name)).parent_path());
    std::ofstream(path(name), std::ios::binary) << text;
  }
  void prepared(const std::string& name, PreparedFacts facts, const std::vector<PreparedSample>& samples) {
    facts.samples = std::ssize(samples);
    std::string text = line_of(facts);
    for (const PreparedSample& sample : samples) text += line_of(sample);
    put(name, text);
  }
  static PreparedSample tokens(const std::vector<std::int64_t>& ids, const std::string& label = "") {
    const auto size = ids.size();
    return {"", {ids}, {std::vector<std::int64_t>(size, 1)}, {std::vector<std::int64_t>(size, 0)}, label, {}, {}};
  }

  /// Adds up what each token says of two classes.
  std::string sentiment(const std::string& name, const std::string& last = "Identity(sum)") {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids) => (float[batch,2] logits) <float[4,2] said = {0,0, 3,0, 0,2, 1,1}, int64[1] axis = {1}>
      { each = Gather(said, input_ids) sum = ReduceSum<keepdims = 0>(each, axis) logits = )" +
                           last + " }");
  }
  /// After each token the next one is the likeliest, around a circle of five.
  std::string next_token(const std::string& name, const std::string& scores) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids) => (float[batch,length,5] logits) <float[5,5] after = {)" +
                           scores + R"(}> { logits = Gather(after, input_ids) })");
  }
  /// next_token with a cache, of which it makes no use.
  std::string cached_next_token(const std::string& name) {
    return model(name, std::string(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids, float[batch,1,past,1] "past_key_values.0.key")
      => (float[batch,length,5] logits, float[batch,1,all,1] "present.0.key")
      <int64[2] around = {1,3}, float[5,5] after = {)") +
                           circle + R"(}>
      { logits = Gather(after, input_ids) floats = Cast<to = 1>(input_ids) key = Unsqueeze(floats, around)
        "present.0.key" = Concat<axis = 2>("past_key_values.0.key", key) })");
  }
  /// An encoder and a decoder as two files, and both in one: after each token the next one of the circle, but for what
  /// the text says against it. Tokens from 3 on the encoder does not know.
  std::string encoder(const std::string& name) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] input_ids, int64[batch,length] attention_mask) => (float[batch,length,2] last_hidden_state)
      <float[3,2] said = {0,0, 9,0, 0,7}> { last_hidden_state = Gather(said, input_ids) })");
  }
  std::string decoder(const std::string& name, const std::string& inputs, const std::string& begin) {
    return model(name, R"(<ir_version: 8, opset_import: ["" : 17]>
      g ()" + inputs + R"() => (float[batch,place,5] logits)
      <float[3,2] said = {0,0, 9,0, 0,7}, float[2,5] against = {0,0,1,0,0, 1,0,0,1,0}, int64[1] end = {2}, int64[1] first = {1},
       float[5,5] after = {)" +
                           circle + R"(}>
      { )" + begin + R"( floats = Cast<to = 1>(mask) column = Unsqueeze(floats, end) known = Mul(states, column)
        all = ReduceSum(known, first) bias = MatMul(all, against) next = Gather(after, ids) logits = Sub(next, bias) })");
  }
  std::string lone_decoder(const std::string& name) {
    return decoder(name,
                   "int64[batch,length] encoder_attention_mask, int64[batch,place] input_ids, float[batch,length,2] "
                   "encoder_hidden_states",
                   "mask = Identity(encoder_attention_mask) ids = Identity(input_ids) "
                   "states = Identity(encoder_hidden_states)");
  }
  std::string joined(const std::string& name) {
    return decoder(
        name,
        "int64[batch,length] input_ids, int64[batch,length] attention_mask, int64[batch,place] "
        "decoder_input_ids",
        "mask = Identity(attention_mask) ids = Identity(decoder_input_ids) states = Gather(said, input_ids)");
  }
  /// lone_decoder with a cache of what the encoder gave, as Optimum merges the first step and all later ones into one
  /// If.
  std::string merged_decoder(const std::string& name, const std::string& later = "Sub") {
    return model(name, std::string(R"(<ir_version: 8, opset_import: ["" : 17]>
      g (int64[batch,length] encoder_attention_mask, int64[batch,place] input_ids,
         float[batch,length,2] encoder_hidden_states, float[batch,1,past,1] "past_key_values.0.decoder.key",
         float[batch,1,1,5] "past_key_values.0.encoder.key", bool[1] use_cache_branch)
      => (float[batch,place,5] logits, float[batch,1,all,1] "present.0.decoder.key",
          float[many,1,1,5] "present.0.encoder.key")
      <float[2,5] against = {0,0,1,0,0, 1,0,0,1,0}, int64[1] zero = {0}, int64[1] first = {1}, int64[1] second = {2},
       int64[2] around = {1,3}, float[5,5] after = {)") +
                           circle + R"(}>
      { floats = Cast<to = 1>(input_ids) key = Unsqueeze(floats, around)
        logits, "present.0.decoder.key", "present.0.encoder.key" = If(use_cache_branch) <
          then_branch = t () => (float[batch,1,5] later, float[batch,1,all,1] grown, float[0,1,1,5] nothing) {
            known_bias = Squeeze("past_key_values.0.encoder.key", first) late_next = Gather(after, input_ids)
            later = )" + later +
                           R"((late_next, known_bias)
            grown = Concat<axis = 2>("past_key_values.0.decoder.key", key)
            nothing = Slice("past_key_values.0.encoder.key", zero, zero, zero) },
          else_branch = e () => (float[batch,place,5] sooner, float[batch,1,place,1] began, float[batch,1,1,5] kept) {
            mask = Cast<to = 1>(encoder_attention_mask) column = Unsqueeze(mask, second)
            known = Mul(encoder_hidden_states, column) all = ReduceSum(known, first) bias = MatMul(all, against)
            next = Gather(after, input_ids) sooner = Sub(next, bias)
            began = Identity(key) kept = Unsqueeze(bias, first) }>
      })");
  }
  static bool has_tokenizers() {
    return std::system("/usr/bin/python3 -c 'import tokenizers' 2>/dev/null") == 0 ||
           std::getenv("CULPRIT_TEXT_PYTHON") != nullptr || fs::exists(cache_folder() / "text" / "bin" / "python");
  }
  static constexpr const char* circle = "0,5,1,1,1, 1,0,5,1,1, 1,1,0,5,1, 1,1,1,0,5, 5,1,1,1,0";
  static constexpr const char* broken_circle = "0,5,1,1,1, 1,0,5,1,1, 1,1,0,1,6, 1,1,1,0,5, 5,1,1,1,0";
};

TEST_F(EvalTexts, SentencesHaveLabels) {
  PreparedFacts facts;
  facts.labels = {"neg", "pos"};
  facts.has_truth = true;
  prepared("texts.jsonl", facts, {tokens({1, 3}, "0"), tokens({2, 0, 3}, "1"), tokens({2}, "0")});
  const Ran ran = eval({sentiment("a.onnx"), sentiment("b.onnx", "Neg(sum)"), "--data", path("texts.jsonl")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "classification");
  EXPECT_NEAR(ran.report["models"][0]["against_labels"]["top1"]["value"].get<double>(), 2.0 / 3, 1e-9);
  EXPECT_EQ(ran.report["models"][1]["changed"], 3) << ran.report["models"][1].dump(1);
  EXPECT_THAT(ran.out, HasSubstr("label 1 (pos) became label 0 (neg)"));
}

TEST_F(EvalTexts, AnswersAreWordsOfTheContext) {
  const std::string file = model("qa.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (int64[batch,length] input_ids) => (float[batch,length] start_logits, float[batch,length] end_logits)
    <float[4,2] said = {0,0, 3,0, 0,2, 1,1}, int64[2] halves = {1,1}, int64[1] last = {2}>
    { each = Gather(said, input_ids) first, second = Split<axis = 2>(each, halves)
      start_logits = Squeeze(first, last) end_logits = Squeeze(second, last) })");
  PreparedSample question = tokens({1, 0, 1, 2, 2});
  question.right = {"cat sat"};
  question.text = SampleText{"the cat sat", {{{}, {0, 3}, {4, 7}, {8, 11}, {}}}};
  PreparedFacts facts;
  facts.has_truth = true;
  prepared("questions.jsonl", facts, {question});
  const Ran ran = eval({file, "--data", path("questions.jsonl"), "--decisions", path("d.jsonl")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "question_answering");
  EXPECT_EQ(ran.report["models"][0]["against_labels"]["exact_match"]["value"], 1);
  EXPECT_THAT(read_file(path("d.jsonl")).value(), HasSubstr("cat sat"));
}

TEST_F(EvalTexts, TextIsGeneratedTokenByToken) {
  prepared("prompts.jsonl", PreparedFacts{}, {tokens({4, 0}), tokens({1})});
  const std::string a = next_token("a.onnx", circle), b = next_token("b.onnx", broken_circle);
  const Ran ran = eval({a, a, b, "--data", path("prompts.jsonl"), "--generate", "4"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["task"]["name"], "generation");
  const json &copy = ran.report["models"][1]["against_first"], &other = ran.report["models"][2]["against_first"];
  for (const char* metric : {"token_agreement", "exact_match", "first_difference"})
    EXPECT_EQ(copy[metric]["value"], 1) << metric;
  // 1 2 3 4 became 1 2 4 0, and 2 3 4 0 became 2 4 0 1.
  EXPECT_NEAR(other["token_agreement"]["value"].get<double>(), 3.0 / 8, 1e-9);
  EXPECT_EQ(other["exact_match"]["value"], 0);
  EXPECT_NEAR(other["first_difference"]["value"].get<double>(), 3.0 / 8, 1e-6);
  EXPECT_THAT(ran.report["data"]["about"].dump(), HasSubstr("4 tokens are generated after each, without a cache"));
}

TEST_F(EvalTexts, ModelsThatWriteAreComparedWhereTheirTextsPart) {
  prepared("prompts.jsonl", PreparedFacts{}, {tokens({4, 0}), tokens({1})});
  const std::string a = next_token("a.onnx", circle), b = next_token("b.onnx", broken_circle);
  const std::vector<std::string> more{"--data", path("prompts.jsonl"), "--generate", "4", "--run-dir", path("compare")};
  std::vector<std::string> words{"compare", a, b};
  words.insert(words.end(), more.begin(), more.end());
  const Ran parted = culprit(words);
  EXPECT_EQ(parted.exit, 1) << parted.out << parted.err;
  EXPECT_THAT(parted.out, HasSubstr("the texts of sample 1 part at token 1"));
  EXPECT_THAT(parted.out, HasSubstr("output logits wrong"));
  words[2] = a;
  const Ran same = culprit(words);
  EXPECT_EQ(same.exit, 0) << same.out << same.err;
  EXPECT_THAT(same.out, HasSubstr("texts_stay"));
}

TEST_F(EvalTexts, ATextThatLeavesNoPositionsIsLeftOut) {
  const std::string file = model("a.onnx", std::string(R"(<ir_version: 8, opset_import: ["" : 17]>
    g (int64[batch,length] input_ids) => (float[batch,length,5] logits)
    <int64[1] zero = {0}, int64[1] one = {1}, int64 first = {0}, int64 step = {1}, float[5,1] told = {0,0,0,0,0},
     float[5,5] after = {)") + circle + R"(}>
    { sizes = Shape(input_ids) length = Gather(sizes, step) all = Range(first, length, step)
      place = Gather(told, all) next = Gather(after, input_ids) logits = Add(next, place) })");
  put("config.json", R"({"n_positions": 5})");
  prepared("prompts.jsonl", PreparedFacts{}, {tokens({4, 0}), tokens({1, 2, 3}), tokens({1})});
  const Ran ran = eval({file, file, "--data", path("prompts.jsonl"), "--generate", "4"});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["data"]["unreadable"], 1) << ran.report["data"].dump(1);
  EXPECT_THAT(ran.report["data"].dump(),
              HasSubstr("it has 3 tokens, 4 are to be generated, and the model has 5 positions"));
  const Ran checked =
      culprit({"check", file, "--data", path("prompts.jsonl"), "--generate", "4", "--run-dir", path("c")});
  EXPECT_EQ(checked.exit, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, Not(HasSubstr("cannot be judged")));
  const Ran none = eval({file, "--data", path("prompts.jsonl"), "--generate", "6"});
  EXPECT_EQ(none.exit, 2) << none.out;
  EXPECT_THAT(none.err, HasSubstr("--generate 6: the model has 5 positions"));
}

TEST_F(EvalTexts, OnlyOneCacheOfTwoIsRefusedInBothOrders) {
  prepared("prompts.jsonl", PreparedFacts{}, {tokens({4, 0}), tokens({1})});
  const std::string cached = cached_next_token("a.onnx"), plain = next_token("b.onnx", circle);
  const auto compare = [&](const std::string& a, const std::string& b) {
    return culprit({"compare", a, b, "--data", path("prompts.jsonl"), "--generate", "4", "--run-dir", path("c")});
  };
  const Ran one = compare(cached, plain), other = compare(plain, cached), both = compare(cached, cached);
  EXPECT_EQ(one.exit, 3) << one.out;
  EXPECT_THAT(one.err, HasSubstr("'past_key_values.0.key' of A is a cache that B has not"));
  EXPECT_EQ(other.exit, 3) << other.out;
  EXPECT_THAT(other.err, HasSubstr("'past_key_values.0.key' of B is a cache that A has not"));
  EXPECT_THAT(other.err, HasSubstr("culprit eval"));
  EXPECT_EQ(both.exit, 0) << both.out << both.err;
}

TEST_F(EvalTexts, WhatCannotWriteIsToldSo) {
  PreparedFacts facts;
  prepared("prompts.jsonl", facts, {tokens({1})});
  const Ran ran = eval({sentiment("a.onnx"), "--data", path("prompts.jsonl"), "--generate", "4"});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("no output tells what comes next"));
}

TEST_F(EvalTexts, TextsThatNobodyPreparedAreToldSo) {
  put("raw/pos/1.txt", "good");
  put("raw/neg/1.txt", "bad");
  const Ran ran = eval({sentiment("a.onnx"), "--data", path("raw")});
  EXPECT_EQ(ran.exit, 2);
  EXPECT_THAT(ran.err, HasSubstr("culprit data prepare"));
}

TEST_F(EvalTexts, AStateIsCarriedOverTheWindowsOfASound) {
  const std::string file = model("heard.onnx", R"(<ir_version: 8, opset_import: ["" : 17]>
    g (float[batch,length] input, float[1] state, int64 sr) => (float[1] output, float[1] stateN)
    { loud = ReduceMax<keepdims = 0>(input) one = Identity(loud) stateN = Add(state, one) output = Identity(stateN) })");
  MadeWav wav;
  for (int i = 0; i < 300; ++i) wav.data += wav_number(16384, 2);
  put("sounds/a.wav", wav.bytes());
  wav.data.clear();
  put("sounds/empty.wav", wav.bytes());
  put("culprit.yaml", "preprocess: {sound: {window: 100}}\ntask: tensor\n");
  const Ran ran = eval({file, file, "--data", path("sounds")});
  ASSERT_EQ(ran.exit, 0) << ran.err;
  EXPECT_EQ(ran.report["data"]["unreadable"], 1) << ran.report["data"].dump(1);
  EXPECT_THAT(ran.report["data"]["about"].dump(), HasSubstr("output 'stateN' is fed back as 'state'"));
  EXPECT_EQ(ran.report["models"][1]["against_first"]["identical"]["value"], 1);
  fs::create_directories(path("elsewhere"));
  fs::copy_file(file, path("elsewhere/heard.onnx"));
  const Ran far = eval({file, path("elsewhere/heard.onnx"), "--data", path("sounds")});
  ASSERT_EQ(far.exit, 0) << far.err;
  EXPECT_EQ(far.report["models"][1]["against_first"]["identical"]["value"], 1) << "it hears what the first one hears";
  const Ran checked = culprit({"check", file, "--data", path("sounds"), "--run-dir", path("check")});
  EXPECT_EQ(checked.exit, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, Not(HasSubstr("cannot be judged")));
}

TEST_F(EvalTexts, ADecoderOfItsOwnWritesWhatTheJoinedModelWrites) {
  PreparedSample one = tokens({1, 0}), other = tokens({2, 1, 0});
  prepared("plain.jsonl", PreparedFacts{}, {one, other});
  one.encoded = Tensor::of<float>({1, 2, 2}, {9, 0, 0, 0});
  other.encoded = Tensor::of<float>({1, 4, 2}, {0, 7, 9, 0, 0, 0, 5, 5});  // the last place is none of the text
  prepared("encoded.jsonl", PreparedFacts{}, {one, other});
  const auto written = [&](const std::string& file, const std::string& data) {
    const Ran ran = eval({file, "--data", path(data), "--generate", "4", "--decisions", path("d.jsonl")});
    EXPECT_EQ(ran.exit, 0) << ran.err;
    std::vector<std::string> texts;
    std::ifstream lines(path("d.jsonl"));
    for (std::string line; std::getline(lines, line);) texts.push_back(json::parse(line)["models"][0].dump());
    return texts;
  };
  const auto expected = written(joined("model.onnx"), "plain.jsonl");
  ASSERT_EQ(expected.size(), 2U);
  EXPECT_NE(expected[0], expected[1]) << "the texts tell";
  EXPECT_EQ(written(lone_decoder("decoder_model.onnx"), "encoded.jsonl"), expected);
  EXPECT_EQ(written(merged_decoder("decoder_model_merged.onnx"), "encoded.jsonl"), expected);
  const Ran without = eval({path("decoder_model.onnx"), "--data", path("plain.jsonl"), "--generate", "4"});
  EXPECT_EQ(without.exit, 2);
  EXPECT_THAT(without.err, HasSubstr("the texts were prepared without an encoder"));
}

TEST_F(EvalTexts, AFaultOfLaterStepsIsNamedInAMergedDecoder) {
  PreparedSample one = tokens({2, 1, 0});
  one.encoded = Tensor::of<float>({1, 3, 2}, {0, 7, 9, 0, 0, 0});
  prepared("encoded.jsonl", PreparedFacts{}, {one});
  const std::string a = merged_decoder("a.onnx"), b = merged_decoder("b.onnx", "Add");
  const Ran ran =
      culprit({"compare", a, b, "--data", path("encoded.jsonl"), "--generate", "4", "--run-dir", path("c")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("the texts of sample 0 part at token 1"));
  EXPECT_THAT(ran.out, HasSubstr("branches_taken: in the place of 1 If of A"));
  EXPECT_THAT(ran.out, HasSubstr("made by Sub of 'logits' in A, by Add"));
}

TEST_F(EvalTexts, AnEncoderReadsTextsOnce) {
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

TEST_F(EvalTexts, TextsAreCutOnTheSideThatTheTokenizerNames) {
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

/// With the Python package tokenizers, where there is one.
TEST_F(EvalTexts, TextsArePreparedOnce) {
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
