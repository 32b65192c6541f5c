// Two rows of scores say where the answer to a question begins in a text, and where it ends.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "task/answer_span.h"
#include "task/best_score.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"
#include "text/answer_score.h"

namespace culprit {
namespace {

const std::vector<std::string> names_of_start{"start"}, names_of_end{"end"};

/// Outputs of the same shape, [L] or [N,L].
struct SpanOutputs {
  std::size_t start = 0, end = 0;
};

struct AnswerDecision : Decision {
  SpanScores scores;
  std::optional<AnswerSpan> span;  ///< what is answered; none: NaN, or nothing to choose from
  bool is_no_answer = false;       ///< the text has none, it says
  double score = 0, null_score = 0;
  std::string words;  ///< the answer; "" where there is none, or where the text is not known
  bool has_words = false;
};

const AnswerDecision& answer_in(const Decision& decision) { return dynamic_cast<const AnswerDecision&>(decision); }

bool are_rows(const OutputFacts& output) {
  return is_float(output.type) && (output.shape.size() == 1 || output.shape.size() == 2);
}

std::optional<SpanOutputs> spans_among(std::span<const OutputFacts> outputs) {
  std::optional<std::size_t> start, end;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    if (!are_rows(outputs[i])) continue;
    if (!start && names_one_of(outputs[i].name, names_of_start))
      start = i;
    else if (!end && names_one_of(outputs[i].name, names_of_end))
      end = i;
  }
  if (start && end) return SpanOutputs{*start, *end};
  if (outputs.size() != 2 || !are_rows(outputs[0]) || !are_rows(outputs[1])) return std::nullopt;
  return SpanOutputs{0, 1};
}

std::vector<std::vector<double>> rows_in(const Tensor& tensor) {
  const std::vector<double> all = numbers_of(tensor);
  const Shape& shape = tensor.shape();
  const auto length = static_cast<std::size_t>(shape.empty() ? 0 : shape.back());
  std::vector<std::vector<double>> rows;
  for (std::size_t at = 0; length > 0 && at + length <= all.size(); at += length)
    rows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                      all.begin() + static_cast<std::ptrdiff_t>(at + length));
  return rows;
}

bool are_alike(const AnswerDecision& a, const AnswerDecision& b) {
  const auto same = [](const auto& one, const auto& other) {
    return std::ranges::equal(one, other, {}, &std::vector<double>::size, &std::vector<double>::size);
  };
  return same(a.scores.start, b.scores.start) && same(a.scores.end, b.scores.end);
}

bool decides(const AnswerDecision& answer) { return answer.span || answer.is_no_answer; }

bool is_same_answer(const AnswerDecision& a, const AnswerDecision& b) {
  if (decides(a) != decides(b) || a.is_no_answer != b.is_no_answer) return false;
  if (a.is_no_answer || !a.span) return true;
  if (a.has_words && b.has_words) return a.words == b.words;
  return std::tie(a.span->window, a.span->first, a.span->last) == std::tie(b.span->window, b.span->first, b.span->last);
}

/// How much higher the reference scores its own answer than the other one.
double gap_between(const AnswerDecision& reference, const AnswerDecision& variant) {
  if (!decides(reference)) return 0;
  if (!decides(variant)) return lost_decision;
  if (variant.is_no_answer) return reference.score - reference.null_score;
  const AnswerSpan& other = *variant.span;
  return reference.score -
         (reference.scores.start[other.window][other.first] + reference.scores.end[other.window][other.last]);
}

std::string told_answer(const AnswerDecision& answer) {
  if (!decides(answer)) return "no answer can be read (NaN)";
  if (answer.is_no_answer) return "no answer";
  if (answer.has_words) return "\"" + printable(answer.words, 80) + "\"";
  const std::string window = answer.span->window > 0 ? fmt::format(" of row {}", answer.span->window) : "";
  return fmt::format("tokens {} to {}{}", answer.span->first, answer.span->last, window);
}

/// Without the text an answer has no words, and only spans can be held against each other.
class AnswerComparator : public TaskComparator {
 public:
  using TaskComparator::TaskComparator;

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const AnswerDecision &a = answer_in(reference), &b = answer_in(variant);
    if (a.has_words && b.has_words && decides(a)) {
      const std::array<std::string, 1> right{a.words};
      const AnswerScore score = decides(b) ? score_of_answer(b.words, right) : AnswerScore{};
      exact_ += score.exact ? 1 : 0;
      f1_.add(score.f1);
    } else {
      const double all = is_same_answer(a, b) ? 1 : 0;
      exact_ += all > 0 ? 1 : 0;
      f1_.add(all);
    }
    const bool is_known = sample.truth != nullptr && sample.truth->texts && a.has_words && b.has_words;
    if (is_known) compare_with_truth(a, b, *sample.truth->texts);
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    f1_.write(state);
    for (const SampleValues& values : right_f1_) values.write(state);
    state.add(exact_).add(right_[0]).add(right_[1]);
    write_label_changes(state, changes_);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    f1_.merge(SampleValues::read(state));
    for (SampleValues& values : right_f1_) values.merge(SampleValues::read(state));
    for (std::int64_t* count : {&exact_, &right_[0], &right_[1]}) *count += state.count();
    merge_label_changes(state, changes_);
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    const auto compared = static_cast<std::int64_t>(f1_.size());
    record.metrics["exact_match"] = record_of(rate_of(static_cast<double>(exact_), compared));
    record.metrics["f1"] = record_of(f1_.share(seed()));
    record.labelled = static_cast<std::int64_t>(right_f1_[0].size());
    record.label_changes = changes_;
    if (record.labelled == 0) return {};
    const auto against = [&](std::size_t model) {
      return std::map<std::string, MetricRecord>{
          {"exact_match", record_of(rate_of(static_cast<double>(right_[model]), record.labelled))},
          {"f1", record_of(right_f1_[model].share(seed()))}};
    };
    record.reference_against_labels = against(0);
    record.variant_against_labels = against(1);
    return {};
  }

 private:
  void compare_with_truth(const AnswerDecision& a, const AnswerDecision& b, const std::vector<std::string>& right) {
    const AnswerScore before = decides(a) ? score_of_answer(a.words, right) : AnswerScore{};
    const AnswerScore after = decides(b) ? score_of_answer(b.words, right) : AnswerScore{};
    right_f1_[0].add(before.f1);
    right_f1_[1].add(after.f1);
    right_[0] += before.exact ? 1 : 0;
    right_[1] += after.exact ? 1 : 0;
    count_label_change(changes_, before.exact, after.exact, is_same_answer(a, b));
  }

  SampleValues f1_;                         // of the variant, with the reference's answer as the right one
  std::array<SampleValues, 2> right_f1_{};  // of both, by the data
  std::int64_t exact_ = 0;
  std::array<std::int64_t, 2> right_{};
  LabelChanges changes_;
};

class QuestionTask : public DecisionTask {
 public:
  [[nodiscard]] std::string name() const override { return "question_answering"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (spans_among(outputs)) return std::nullopt;
    return fmt::format(
        "question_answering wants two outputs of floats [L] or [N,L], scores of where an answer begins and of where it "
        "ends, such as 'start_logits' and 'end_logits'; there are: {}",
        text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs, std::span<const NamedTensor>) const override {
    const auto spans = spans_among(outputs);
    if (!spans || !names_one_of(outputs[spans->start].name, names_of_start) ||
        !names_one_of(outputs[spans->end].name, names_of_end))
      return {};
    return {0.97, fmt::format("'{}' and '{}' are called as the ends of answers are", outputs[spans->start].name,
                              outputs[spans->end].name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    return decide_of(outputs, nullptr);
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide_of(std::span<const NamedTensor> outputs,
                                                            const SampleText* text) const override {
    const auto facts = facts_of(outputs);
    const auto spans = spans_among(facts);
    if (!spans) return fail(ErrorKind::unsupported, *refuses(facts));
    const Tensor &start = outputs[spans->start].value, &end = outputs[spans->end].value;
    if (start.shape() != end.shape())
      return fail(ErrorKind::unsupported,
                  fmt::format("question_answering wants two outputs of one shape; '{}' and '{}' have others",
                              outputs[spans->start].name, outputs[spans->end].name));
    auto decision = std::make_unique<AnswerDecision>();
    decision->scores = {rows_in(start), rows_in(end)};
    choose(*decision, text);
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const AnswerDecision &a = answer_in(reference), &b = answer_in(variant);
    if (!are_alike(a, b))
      return fail(ErrorKind::unsupported, "the variant has scores of another size than the reference");
    const bool is_same = is_same_answer(a, b);
    return DecisionChange{!is_same, is_same ? 0 : gap_between(a, b), told_answer(a), told_answer(b),
                          !decides(a) && !decides(b)};
  }

  [[nodiscard]] Result<bool> changes_alike(const Decision& /*reference*/, const Decision& variant,
                                           const Decision& draw) const override {
    return is_same_answer(answer_in(variant), answer_in(draw));
  }

  [[nodiscard]] std::vector<std::string> about() const override {
    return {fmt::format("an answer is the best span of at most {} tokens", longest_answer)};
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const AnswerDecision& answer = answer_in(decision);
    ToldDecision told;
    told.words = told_answer(answer);
    if (decides(answer) && (answer.has_words || answer.is_no_answer)) told.label = answer.words;
    if (answer.span || answer.is_no_answer) told.best.push_back({told.words, answer.score});
    if (truth == nullptr || !truth->texts) return told;
    told.truth = truth->texts->empty() ? "no answer" : truth->texts->front();
    if (answer.has_words) told.is_right = decides(answer) && score_of_answer(answer.words, *truth->texts).exact;
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<AnswerComparator>(*this, options.seed);
  }

 private:
  static void choose(AnswerDecision& decision, const SampleText* text) {
    decision.has_words = text != nullptr && !text->windows.empty();
    decision.span = best_span(decision.scores, text);
    if (!decision.span) return;
    decision.score = decision.span->score;
    decision.null_score = no_answer_score(decision.scores);
    if (!decision.has_words) return;
    if (text->may_have_no_answer && decision.null_score > decision.score) {
      decision.is_no_answer = true;
      std::swap(decision.score, decision.null_score);
      return;
    }
    const auto& places = text->windows[decision.span->window];
    const auto begin = static_cast<std::size_t>(places[decision.span->first].begin);
    const auto end = static_cast<std::size_t>(places[decision.span->last].end);
    if (begin <= end && end <= text->context.size()) decision.words = text->context.substr(begin, end - begin);
  }
};

}  // namespace

std::unique_ptr<DecisionTask> make_question_answering_task(const TaskSettings&, std::span<const OutputFacts>) {
  return std::make_unique<QuestionTask>();
}

}  // namespace culprit
