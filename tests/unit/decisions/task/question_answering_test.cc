// Answers: which span is read off two rows of scores, when two answers differ, and how good they are.
#include <gtest/gtest.h>

#include <limits>

#include "task/answer_span.h"
#include "task/choose_task.h"
#include "unit/decisions/task/task_outputs.h"

namespace culprit {
namespace {

constexpr float no_number = std::numeric_limits<float>::quiet_NaN();

/// "[CLS] who ? [SEP] Ada and Bob [SEP]": tokens 4 to 6 are the context's.
SampleText ada_and_bob(bool may_have_no_answer = false) {
  return {"Ada and Bob", {{{}, {}, {}, {}, {0, 3}, {4, 7}, {8, 11}, {}}}, may_have_no_answer};
}

std::vector<NamedTensor> ends(const std::vector<float>& start, const std::vector<float>& end) {
  const Shape shape{1, static_cast<std::int64_t>(start.size())};
  return {{"start_logits", Tensor::of(shape, start)}, {"end_logits", Tensor::of(shape, end)}};
}

/// Scores of 9 at these tokens, 0 elsewhere.
std::vector<NamedTensor> answer(std::size_t first, std::size_t last) {
  std::vector<float> start(8), end(8);
  start[first] = end[last] = 9;
  return ends(start, end);
}

std::unique_ptr<DecisionTask> question_task(const std::vector<NamedTensor>& outputs) {
  auto task = make_task("question_answering", facts_of(outputs), {});
  EXPECT_TRUE(task) << (task ? "" : task.error().text());
  return std::move(*task);
}

DecisionRecord answers_compared(const std::vector<NamedTensor>& a, const std::vector<NamedTensor>& b,
                                const SampleText& text, const Truth& truth) {
  const auto task = question_task(a);
  auto comparator = task->comparator({});
  SampleOutputs sample{0, &truth, a, b, "q"};
  sample.text = &text;
  EXPECT_TRUE((*comparator)->add(sample));
  auto merged = task->comparator({});
  EXPECT_TRUE((*merged)->merge(*(*comparator)->state()));
  return *(*merged)->result();
}

TEST(QuestionAnswering, TheBestSpanLiesInTheContext) {
  const SampleText text = ada_and_bob();
  SpanScores scores{{{99, 99, 0, 0, 1, 5, 2, 0}}, {{99, 0, 0, 0, 6, 1, 4, 99}}};
  const auto span = best_span(scores, &text);
  ASSERT_TRUE(span);
  EXPECT_EQ((AnswerSpan{0, 5, 6, 9}), *span);  // 5..4 would be 11, and ends before it begins
  const auto anywhere = best_span(scores, nullptr);
  EXPECT_EQ((AnswerSpan{0, 0, 0, 198}), *anywhere);
}

TEST(QuestionAnswering, AnAnswerHasAtMostThirtyTokens) {
  SpanScores scores{{std::vector<double>(40)}, {std::vector<double>(40)}};
  scores.start[0][0] = scores.end[0][30] = 5;
  EXPECT_EQ((AnswerSpan{0, 0, 0, 5}), *best_span(scores, nullptr));
  scores.end[0][29] = 4;
  EXPECT_EQ((AnswerSpan{0, 0, 29, 9}), *best_span(scores, nullptr));
}

TEST(QuestionAnswering, TheBestOfAllWindowsIsTaken) {
  SampleText text = ada_and_bob();
  text.windows.push_back({{}, {}, {}, {}, {8, 11}, {}, {}, {}});
  SpanScores scores{{{0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 3, 0, 0, 0}},
                    {{0, 0, 0, 0, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0}}};
  EXPECT_EQ((AnswerSpan{1, 4, 4, 3}), *best_span(scores, &text));
}

TEST(QuestionAnswering, AnswersAreSpelledAsTheTextSpellsThem) {
  const auto a = answer(4, 6), b = answer(6, 6);
  const auto task = question_task(a);
  const SampleText text = ada_and_bob();
  const auto before = task->decide_of(a, &text), after = task->decide_of(b, &text);
  const auto change = task->change(**before, **after);
  ASSERT_TRUE(change);
  EXPECT_TRUE(change->changed);
  EXPECT_EQ("\"Ada and Bob\"", change->reference);
  EXPECT_EQ("\"Bob\"", change->variant);
  EXPECT_DOUBLE_EQ(9, change->margin);  // 18 for its own answer, 0 + 9 for Bob
  EXPECT_FALSE(task->change(**before, **before)->changed);
}

TEST(QuestionAnswering, WordsAreCountedAsTheScriptOfSquadCounts) {
  Truth truth;
  truth.texts = {"Bob"};
  const auto record = answers_compared(answer(4, 6), answer(6, 6), ada_and_bob(), truth);
  EXPECT_EQ(1, record.changed);
  EXPECT_DOUBLE_EQ(0, record.metrics.at("exact_match").value);
  EXPECT_DOUBLE_EQ(0.5, record.metrics.at("f1").value);  // 1 of 3 words found, 1 of 1 right
  EXPECT_EQ(1, record.labelled);
  EXPECT_DOUBLE_EQ(0, record.reference_against_labels.at("exact_match").value);
  EXPECT_DOUBLE_EQ(1, record.variant_against_labels.at("exact_match").value);
  EXPECT_EQ(1, record.label_changes.gained);
}

TEST(QuestionAnswering, ACopyIsPerfect) {
  Truth truth;
  truth.texts = {"Ada"};
  const auto record = answers_compared(answer(4, 6), answer(4, 6), ada_and_bob(), truth);
  EXPECT_EQ(0, record.changed);
  EXPECT_DOUBLE_EQ(1, record.metrics.at("exact_match").value);
  EXPECT_DOUBLE_EQ(1, record.metrics.at("f1").value);
  EXPECT_EQ(record.reference_against_labels, record.variant_against_labels);
}

TEST(QuestionAnswering, TheFirstTokenStandsForNoAnswerWhereTheDataHaveSuch) {
  auto unsure = answer(4, 4);
  unsure[0].value = Tensor::of({1, 8}, std::vector<float>{10, 0, 0, 0, 9, 0, 0, 0});
  unsure[1].value = Tensor::of({1, 8}, std::vector<float>{10, 0, 0, 0, 9, 0, 0, 0});
  Truth truth;
  truth.texts = std::vector<std::string>{};
  const auto plain = answers_compared(unsure, unsure, ada_and_bob(false), truth);
  EXPECT_DOUBLE_EQ(0, plain.variant_against_labels.at("exact_match").value);
  const auto version_2 = answers_compared(unsure, unsure, ada_and_bob(true), truth);
  EXPECT_DOUBLE_EQ(1, version_2.variant_against_labels.at("exact_match").value);
  EXPECT_DOUBLE_EQ(1, version_2.metrics.at("exact_match").value);
}

TEST(QuestionAnswering, NaNIsNoAnswer) {
  auto lost = answer(4, 4);
  lost[0].value = Tensor::of({1, 8}, std::vector<float>{0, 0, no_number, 0, 9, 0, 0, 0});
  Truth truth;
  truth.texts = {"Ada"};
  const auto record = answers_compared(answer(4, 4), lost, ada_and_bob(), truth);
  EXPECT_EQ(1, record.changed);
  EXPECT_DOUBLE_EQ(0, record.variant_against_labels.at("f1").value);
  EXPECT_EQ(1, record.label_changes.lost);
  EXPECT_EQ(1, answers_compared(lost, lost, ada_and_bob(), truth).undecided);
}

TEST(QuestionAnswering, WithoutTheTextSpansAreComparedByTheirTokens) {
  const auto a = answer(1, 2), b = answer(1, 3);
  const auto task = question_task(a);
  const auto change = task->change(**task->decide(a), **task->decide(b));
  EXPECT_EQ("tokens 1 to 2", change->reference);
  EXPECT_EQ("tokens 1 to 3", change->variant);
}

TEST(QuestionAnswering, IsKnownByTheNamesOfItsOutputs) {
  const auto outputs = answer(1, 2);
  const auto chosen = choose_task(facts_of(outputs), outputs, {});
  EXPECT_EQ("question_answering", chosen.task->name());
  EXPECT_TRUE(chosen.is_sure);
  const std::vector<NamedTensor> one{outputs[0]};
  const auto refused = make_task("question_answering", facts_of(one), {});
  ASSERT_FALSE(refused);
  EXPECT_NE(std::string::npos, refused.error().message.find("'end_logits'"));
}

TEST(QuestionAnswering, PlacesOutsideTheTextAreNoWords) {
  SampleText text = ada_and_bob();
  text.windows[0][4] = {50, 90};
  const auto a = answer(4, 4);
  const auto task = question_task(a);
  EXPECT_EQ("\"\"", task->tell(**task->decide_of(a, &text), nullptr).words);
}

}  // namespace
}  // namespace culprit
