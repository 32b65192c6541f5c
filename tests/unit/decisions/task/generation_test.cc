// What two language models say: which token differs first, and how alike all are.
#include <gtest/gtest.h>

#include <limits>

#include "tokens/token_decoder.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

/// Three positions, four tokens; the tokens 0, 1, 2 are the best ones.
Floats three_positions() { return {9, 1, 2, 3, 1, 9, 2, 3, 1, 2, 9, 3}; }

std::shared_ptr<const TokenDecoder> four_words() {
  auto decoder = TokenDecoder::of(
      R"({"model": {"type": "WordLevel", "vocab": {"a": 0, "cat": 1, "sat": 2, "dog": 3}, "unk_token": "a"}})");
  EXPECT_TRUE(decoder) << (decoder ? "" : decoder.error().text());
  return std::make_shared<const TokenDecoder>(std::move(*decoder));
}

TEST(Generation, AnotherTokenIsCaught) {
  Floats other = three_positions();
  other[7] = 10;
  const MadeSample sample{output_of("logits", {1, 3, 4}, three_positions()), output_of("logits", {1, 3, 4}, other), {}};
  const DecisionRecord record = compared("generation", {sample});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.metrics.at("token_agreement").value, 2.0 / 3, 1e-6);
  EXPECT_EQ(record.metrics.at("exact_match").value, 0);
  EXPECT_NEAR(record.metrics.at("first_difference").value, 1.0 / 3, 1e-6);
}

TEST(Generation, TheFirstOtherTokenIsSpelled) {
  Floats other = three_positions();
  other[7] = 10;
  const Outputs a = output_of("logits", {1, 3, 4}, three_positions()), b = output_of("logits", {1, 3, 4}, other);
  SampleText text;
  text.decoder = four_words();
  text.first_predicted = 1;
  const auto task = make_task("generation", facts_of(a), {}).value();
  const auto before = task->decide_of(a, &text), after = task->decide_of(b, &text);
  const auto change = task->change(**before, **after);
  EXPECT_EQ(change->reference, "token 0 'cat'");
  EXPECT_EQ(change->variant, "token 0 'dog'");
  EXPECT_EQ(change->margin, 6);
  EXPECT_EQ(task->tell(**before, nullptr).words, "cat sat");
}

TEST(Generation, NanIsNoToken) {
  const Floats nothing(12, std::numeric_limits<float>::quiet_NaN());
  const Outputs none = output_of("logits", {1, 3, 4}, nothing);
  const Outputs some = output_of("logits", {1, 3, 4}, three_positions());
  const DecisionRecord record = compared("generation", {{none, none, {}}, {some, none, {}}});
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.undecided, 1);
  EXPECT_EQ(record.metrics.at("first_difference").value, 0.5);
}

/// As a loop in the runtime writes them (tensor/token_loop.h), two choices at each of four steps.
Outputs written(const std::vector<std::int64_t>& tokens, const std::vector<std::int64_t>& others) {
  std::vector<std::int64_t> top;
  Floats scores;
  for (std::size_t step = 0; step < tokens.size(); ++step) {
    top.insert(top.end(), {tokens[step], others[step]});
    scores.insert(scores.end(), {5, 4});
  }
  const auto steps = static_cast<std::int64_t>(tokens.size());
  return {{"tokens", Tensor::of<std::int64_t>({steps}, tokens)},
          {"top_tokens", Tensor::of<std::int64_t>({steps, 2}, top)},
          {"top_scores", Tensor::of<float>({steps, 2}, scores)}};
}

/// Both wrote this; the data say what is right.
DecisionRecord texts_compared(const Outputs& a, const Outputs& b, const std::vector<std::string>& right,
                              std::int64_t end = -1) {
  SampleText text;
  text.decoder = four_words();
  text.end = end;
  Truth truth;
  truth.texts = right;
  const auto task = make_task("generation", facts_of(a)).value();
  const auto comparator = task->comparator({}).value();
  SampleOutputs sample{0, &truth, a, b};
  sample.text = &text;
  EXPECT_TRUE(comparator->add(sample));
  const auto merged = task->comparator({}).value();
  EXPECT_TRUE(merged->merge(comparator->state().value()));
  return merged->result().value();
}

TEST(Generation, OneOtherTokenIsSeenByAllItsMetrics) {
  const Outputs a = written({0, 1, 2, 0, 3, 2}, {1, 0, 0, 1, 1, 1}),
                b = written({0, 1, 2, 0, 1, 2}, {1, 0, 0, 1, 3, 1});
  const DecisionRecord record = texts_compared(a, b, {"a cat sat a dog sat"});
  EXPECT_EQ(record.changed, 1);
  EXPECT_EQ(record.worst.at(0).margin, 1) << "5 for its own token, 4 for the other";
  EXPECT_NEAR(record.metrics.at("token_agreement").value, 5.0 / 6, 1e-9);
  EXPECT_NEAR(record.metrics.at("first_difference").value, 4.0 / 6, 1e-6);
  EXPECT_EQ(record.metrics.at("exact_match").value, 0);
  EXPECT_LT(record.metrics.at("bleu").value, 70);
  EXPECT_EQ(record.reference_against_labels.at("exact_match").value, 1);
  EXPECT_EQ(record.variant_against_labels.at("exact_match").value, 0);
  EXPECT_EQ(record.reference_against_labels.at("bleu").value, 100);
  EXPECT_EQ(record.label_changes.lost, 1);
}

TEST(Generation, WhatFollowsTheEndIsNoText) {
  const Outputs a = written({0, 1, 2, 3, 3, 3, 3, 3}, {1, 0, 0, 1, 1, 1, 1, 1}),
                b = written({0, 2, 3, 3, 3, 3, 3, 3}, {1, 0, 0, 1, 1, 1, 1, 1});
  const DecisionRecord record = texts_compared(a, b, {"a cat sat dog"}, 3);
  EXPECT_EQ(record.reference_against_labels.at("exact_match").value, 1) << "the end is a word of the tokenizer";
  EXPECT_NEAR(record.metrics.at("token_agreement").value, 1.0 / 4, 1e-9) << "of the longer text, with its end";
  EXPECT_NEAR(record.metrics.at("first_difference").value, 1.0 / 4, 1e-6);
  EXPECT_EQ(texts_compared(a, a, {"a cat sat"}, 3).metrics.at("token_agreement").value, 1);
  EXPECT_EQ(texts_compared(a, a, {"a cat sat dog dog dog dog dog"}).reference_against_labels.at("exact_match").value, 1)
      << "where nobody tells the end";
}

TEST(Generation, ATextIsNoLongerForTheNaNsAtItsEnd) {
  const Outputs a = written({0, 1, 2, 2}, {1, 0, 0, 0}), lost = written({0, -1, -1, -1}, {1, 0, 0, 0});
  const DecisionRecord record = texts_compared(a, lost, {"a"});
  EXPECT_EQ(record.changed, 1);
  EXPECT_NEAR(record.metrics.at("token_agreement").value, 1.0 / 4, 1e-9);
  EXPECT_EQ(texts_compared(lost, lost, {"a"}).metrics.at("token_agreement").value, 1);
}

TEST(Generation, SpacesAtTheEndsOfWhatIsRightDoNotCount) {
  const Outputs a = written({0, 1, 2, 0, 3, 2}, {1, 0, 0, 1, 1, 1});
  for (const std::string right : {"a cat sat a dog sat", " a cat sat a dog sat", "a cat sat a dog sat\n"})
    EXPECT_EQ(texts_compared(a, a, {right}).reference_against_labels.at("exact_match").value, 1) << right;
}

TEST(Generation, ACopyIsPerfectAndHasNoBleuBelowFourTokens) {
  const Outputs a = written({0, 1, 2, 0, 3}, {1, 0, 0, 1, 1});
  EXPECT_EQ(texts_compared(a, a, {"x"}).metrics.at("bleu").value, 100);
  EXPECT_EQ(texts_compared(a, a, {"x"}).metrics.at("token_agreement").value, 1);
  const Outputs few = written({0, 1}, {1, 0});
  EXPECT_FALSE(texts_compared(few, few, {"x"}).metrics.contains("bleu"));
}

TEST(Generation, OnlyWhatIsToFollowCounts) {
  SampleText text;
  text.first_predicted = 1;
  text.target = {1};
  Floats other = three_positions();
  other[0] = other[8] = 0;
  other[11] = 20;
  const Outputs a = output_of("logits", {1, 3, 4}, three_positions()), b = output_of("logits", {1, 3, 4}, other);
  const auto task = make_task("generation", facts_of(a)).value();
  EXPECT_FALSE(task->change(**task->decide_of(a, &text), **task->decide_of(b, &text))->changed);
  EXPECT_TRUE(task->change(**task->decide(a), **task->decide(b))->changed);
}

TEST(Generation, IsKnownByWhatALoopWrites) {
  const Outputs a = written({0, 1}, {1, 0});
  const auto chosen = choose_task(facts_of(a), a, {});
  EXPECT_EQ(chosen.task->name(), "generation");
  EXPECT_TRUE(chosen.is_sure);
}

}  // namespace
}  // namespace culprit
