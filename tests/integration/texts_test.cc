// Texts and sounds from end to end: prepared, fed, read and written by small models whose answers are known.
#include <fstream>

#include "eval_texts.h"
#include "texts/prepared_texts.h"
#include "unit/values/sound/made_sound.h"

namespace culprit::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

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

/// Two scores of each row change places, and the best one stays.
TEST_F(EvalTexts, TextsThatAreAlikeDoNotSayThatTheirScoresAre) {
  prepared("prompts.jsonl", PreparedFacts{}, {tokens({4, 0}), tokens({1})});
  const std::string a = cached_next_token("a.onnx", circle);
  const std::string b = cached_next_token("b.onnx", "1,5,0,1,1, 1,1,5,0,1, 1,1,1,5,0, 0,1,1,1,5, 5,0,1,1,1");
  const Ran ran =
      culprit({"compare", a, b, "--data", path("prompts.jsonl"), "--generate", "4", "--run-dir", path("compare")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("output logits wrong"));
  EXPECT_THAT(ran.out, HasSubstr("texts_stay: B writes the same 2 texts; their scores may differ"));
}

/// Of twelve texts the sixth is not among the first ten that are compared.
TEST_F(EvalTexts, AFurtherTextThatPartsIsLookedIntoWithACacheToo) {
  std::vector<PreparedSample> texts(12, tokens({0}));
  texts[5] = tokens({2});
  prepared("prompts.jsonl", PreparedFacts{}, texts);
  const std::string a = cached_next_token("a.onnx", circle), b = cached_next_token("b.onnx", broken_circle);
  const Ran ran =
      culprit({"compare", a, b, "--data", path("prompts.jsonl"), "--generate", "1", "--run-dir", path("compare")});
  EXPECT_EQ(ran.exit, 1) << ran.out << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("part at token 0"));
  EXPECT_THAT(ran.out, HasSubstr("output logits wrong"));
  EXPECT_THAT(ran.out, Not(HasSubstr("steps_stay")));
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
  const std::string cached = cached_next_token("a.onnx", circle), plain = next_token("b.onnx", circle);
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

/// The first is known as silero by its rate and its state; the other one has the rate inside.
TEST_F(EvalTexts, WhatIsGuessedForTheFirstModelIsForTheOthers) {
  const std::string body =
      "loud = ReduceMax<keepdims = 0>(input) stateN = Add(state, loud) output = Identity(stateN) }";
  const auto net = [&](const std::string& rate) {
    return R"(<ir_version: 8, opset_import: ["" : 17]> g (float[batch,length] input, float[1] state)" + rate +
           ") => (float[1] output, float[1] stateN) { " + body;
  };
  MadeWav wav;
  for (int i = 0; i < 1100; ++i) wav.data += wav_number(static_cast<std::uint64_t>(10 * i), 2);
  put("sounds/a.wav", wav.bytes());
  const std::string one = model("one.onnx", net(", int64 sr")), two = model("two.onnx", net(""));
  const Ran ran = eval({one, two, "--data", path("sounds"), "--task", "tensor"});
  ASSERT_EQ(ran.exit, 0) << ran.out << ran.err;
  EXPECT_EQ(ran.report["models"][1]["against_first"]["identical"]["value"], 1) << ran.out;
  EXPECT_EQ(eval({two, "--data", path("sounds"), "--task", "tensor"}).exit, 2) << "nobody knows how it is fed alone";
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

}  // namespace
}  // namespace culprit::testing
