// Two language models say a text, token by token.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "task/best_score.h"
#include "task/bleu_by_groups.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"
#include "tensor/best_tokens.h"
#include "tokens/token_decoder.h"

namespace culprit {
namespace {

constexpr std::size_t kept_choices = 16, told_tokens = 3, longest_said = 200;
constexpr std::int64_t least_vocabulary = 200;
const std::vector<std::string> names_of_logits{"logit", "lm", "scores"}, sure_names_of_logits{"logits"};

/// The best one first; empty: no token, for the scores hold NaN.
using TokenChoice = std::vector<ScoredToken>;

struct TextDecision : Decision {
  std::vector<TokenChoice> choices;
  std::shared_ptr<const TokenDecoder> decoder;
  std::int64_t end = -1;  ///< as SampleText has it
  std::string words;      ///< without spaces at its ends; "" without a decoder
};

const TextDecision& text_in(const Decision& decision) { return dynamic_cast<const TextDecision&>(decision); }

std::int64_t token_at(const TextDecision& text, std::size_t place) {
  return place < text.choices.size() && !text.choices[place].empty() ? text.choices[place][0].token : -1;
}

bool says_something(const TextDecision& text) {
  return text.choices.empty() || std::ranges::any_of(text.choices, [](const auto& choice) { return !choice.empty(); });
}

std::size_t longer_of(const TextDecision& a, const TextDecision& b) {
  return std::max(a.choices.size(), b.choices.size());
}

/// The number of positions where they say the same all along.
std::size_t first_difference(const TextDecision& a, const TextDecision& b) {
  std::size_t place = 0;
  while (place < longer_of(a, b) && token_at(a, place) == token_at(b, place)) ++place;
  return place;
}

bool says_the_same(const TextDecision& a, const TextDecision& b) { return first_difference(a, b) == longer_of(a, b); }

struct TextOutputs {
  std::optional<std::size_t> logits, tokens, top_tokens, top_scores;
};

bool are_logits(const OutputFacts& output) {
  const Shape& shape = output.shape;
  const bool has_rows = shape.size() == 2 || (shape.size() == 3 && may_be(shape[0], 1));
  return is_float(output.type) && has_rows && (shape.back() > 1 || shape.back() == -1) &&
         names_one_of(output.name, names_of_logits);
}

std::optional<TextOutputs> text_outputs_among(std::span<const OutputFacts> outputs) {
  TextOutputs found;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputFacts& output = outputs[i];
    const bool is_table = output.shape.size() == 2;
    if (output.name == "tokens" && output.type == DType::i64 && output.shape.size() == 1) found.tokens = i;
    if (output.name == "top_tokens" && output.type == DType::i64 && is_table) found.top_tokens = i;
    if (output.name == "top_scores" && output.type == DType::f32 && is_table) found.top_scores = i;
    if (!found.logits && output.name != "top_scores" && are_logits(output)) found.logits = i;
  }
  if (!found.tokens && !found.logits) return std::nullopt;
  return found;
}

TokenChoice best_of_row(const Tensor& logits, std::int64_t row) {
  TokenChoice choice = best_tokens_of_row(logits, row, kept_choices);
  std::erase_if(choice, [](const ScoredToken& one) { return one.token < 0; });
  return choice;
}

/// The choices at the positions that tell what is right to follow, if that is known; else at all positions.
std::vector<TokenChoice> choices_of_logits(const Tensor& logits, const SampleText* text) {
  const Shape& shape = logits.shape();
  const std::int64_t first = text == nullptr ? 0 : std::max<std::int64_t>(text->first_predicted, 0);
  std::int64_t end = shape[shape.size() - 2];
  if (text != nullptr && !text->target.empty()) end = std::min(end, first + std::ssize(text->target));
  std::vector<TokenChoice> choices;
  for (std::int64_t row = first; row < end; ++row) choices.push_back(best_of_row(logits, row));
  return choices;
}

Result<std::vector<TokenChoice>> choices_of_tokens(std::span<const NamedTensor> outputs, const TextOutputs& found) {
  const auto tokens = outputs[*found.tokens].value.as<std::int64_t>();
  std::vector<TokenChoice> choices(tokens.size());
  for (std::size_t place = 0; place < tokens.size(); ++place)
    if (tokens[place] >= 0) choices[place].push_back({tokens[place], 0});
  if (!found.top_tokens || !found.top_scores) return choices;
  const Tensor &names = outputs[*found.top_tokens].value, &scores = outputs[*found.top_scores].value;
  const Shape& shape = names.shape();
  if (shape != scores.shape() || shape[0] != static_cast<std::int64_t>(tokens.size()) || shape[1] < 2)
    return fail(
        ErrorKind::unsupported,
        "generation wants 'top_tokens' and 'top_scores' of one shape [N,K], K 2 or more, with N as 'tokens' has");
  const auto ids = names.as<std::int64_t>();
  const auto columns = static_cast<std::size_t>(shape[1]);
  for (std::size_t place = 0; place < tokens.size(); ++place) {
    if (choices[place].empty()) continue;
    TokenChoice choice;
    for (std::size_t k = 0; k < std::min(columns, kept_choices); ++k) {
      const double score = scores.number(static_cast<std::int64_t>(place * columns + k));
      if (ids[place * columns + k] >= 0 && !std::isnan(score))
        choice.push_back({ids[place * columns + k], static_cast<float>(score)});
    }
    if (!choice.empty() && choice[0].token == tokens[place]) choices[place] = std::move(choice);
  }
  return choices;
}

/// How much higher the reference scores its own token than the other one, which may not be among those it kept.
double gap_at(const TextDecision& reference, const TextDecision& variant, std::size_t place) {
  if (token_at(reference, place) < 0) return 0;
  const std::int64_t other = token_at(variant, place);
  if (other < 0 && place < variant.choices.size()) return lost_decision;
  const TokenChoice& choice = reference.choices[place];
  if (choice.size() == 1) return 1;
  const auto found = std::ranges::find(choice, other, &ScoredToken::token);
  const double gap = double{choice[0].score} - (found == choice.end() ? choice.back() : *found).score;
  return std::isnan(gap) ? 0 : gap;
}

/// What the model said after the end of its text is no part of it, nor is what came after a NaN.
void cut_at_end(TextDecision& text) {
  std::vector<TokenChoice>& choices = text.choices;
  if (text.end >= 0)
    for (std::size_t place = 0; place + 1 < choices.size(); ++place)
      if (token_at(text, place) == text.end) choices.resize(place + 1);
  while (choices.size() > 1 && choices.back().empty() && choices[choices.size() - 2].empty()) choices.pop_back();
}

/// Does a text end with this token? If nobody tells which one ends it, the special tokens that usually do are taken.
bool ends_text(const TextDecision& text, std::int64_t token) {
  if (text.end >= 0) return token == text.end;
  const TokenDecoder& decoder = *text.decoder;
  static constexpr std::array<std::string_view, 4> ends{"</s>", "<|endoftext|>", "[SEP]", "<eos>"};
  return decoder.is_special(token) && std::ranges::find(ends, decoder.token(token)) != ends.end();
}

std::string words_said(const TextDecision& text) {
  std::vector<std::int64_t> tokens;
  for (std::size_t place = 0; place < text.choices.size(); ++place) {
    const std::int64_t token = token_at(text, place);
    if (token < 0) continue;
    tokens.push_back(token);  // the decoder leaves out an end that is a special token
    if (ends_text(text, token)) break;
  }
  return std::string(trim(text.decoder->decode(tokens, true)));
}

std::string told_text(const TextDecision& text) {
  if (!says_something(text)) return "no token (NaN)";
  if (text.decoder) return printable(text.words, longest_said);
  std::string ids = "tokens";
  for (std::size_t place = 0; place < text.choices.size() && ids.size() < longest_said; ++place)
    ids += fmt::format(" {}", token_at(text, place));
  return printable(ids, longest_said);
}

std::string name_of_token(const TextDecision& text, std::int64_t token) {
  return text.decoder ? printable(text.decoder->token(token), 40) : std::to_string(token);
}

std::string told_token(const TextDecision& text, std::size_t place) {
  if (place >= text.choices.size()) return fmt::format("no token {}", place);
  const std::int64_t token = token_at(text, place);
  if (token < 0) return fmt::format("no token {} (NaN)", place);
  return text.decoder ? fmt::format("token {} '{}'", place, name_of_token(text, token))
                      : fmt::format("token {} id {}", place, token);
}

/// Is it one of the right texts? Spaces at the ends do not count: a target often begins with one, so that it can follow
/// its prompt.
bool is_among(const std::vector<std::string>& right, const std::string& words) {
  return std::ranges::any_of(right, [&](const std::string& text) { return trim(text) == words; });
}

class TextComparator : public TaskComparator {
 public:
  using TaskComparator::TaskComparator;

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const TextDecision &a = text_in(reference), &b = text_in(variant);
    const std::size_t length = longer_of(a, b), first = first_difference(a, b);
    std::int64_t same = 0;
    for (std::size_t place = 0; place < length; ++place) same += token_at(a, place) == token_at(b, place) ? 1 : 0;
    same_.add(static_cast<double>(same));
    all_.add(static_cast<double>(length));
    first_.add(length == 0 ? 1 : static_cast<double>(first) / static_cast<double>(length));
    exact_ += first == length ? 1 : 0;
    if (!a.decoder || !b.decoder) return {};
    bleu_[0].add(sample.number, b.words, std::array{a.words});
    if (sample.truth != nullptr && sample.truth->texts && !sample.truth->texts->empty())
      compare_with_truth(a, b, sample);
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    for (const SampleValues* values : {&same_, &all_, &first_}) values->write(state);
    for (const BleuByGroups& bleu : bleu_) bleu.write(state);
    state.add(exact_).add(labelled_).add(right_[0]).add(right_[1]);
    write_label_changes(state, changes_);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    for (SampleValues* values : {&same_, &all_, &first_}) values->merge(SampleValues::read(state));
    for (BleuByGroups& bleu : bleu_) bleu.merge(state);
    for (std::int64_t* count : {&exact_, &labelled_, &right_[0], &right_[1]}) *count += state.count();
    merge_label_changes(state, changes_);
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["token_agreement"] = record_of(same_.ratio(all_, 1, 1, seed()));
    record.metrics["exact_match"] =
        record_of(rate_of(static_cast<double>(exact_), static_cast<std::int64_t>(first_.size())));
    record.metrics["first_difference"] = record_of(first_.share(seed()));
    tell_bleu(record.metrics, bleu_[0]);
    record.labelled = labelled_;
    record.label_changes = changes_;
    if (labelled_ == 0) return {};
    for (std::size_t model = 0; model < 2; ++model) {
      auto& metrics = model == 0 ? record.reference_against_labels : record.variant_against_labels;
      metrics["exact_match"] = record_of(rate_of(static_cast<double>(right_[model]), labelled_));
      tell_bleu(metrics, bleu_[model + 1]);
    }
    return {};
  }

 private:
  void compare_with_truth(const TextDecision& a, const TextDecision& b, const SampleOutputs& sample) {
    const std::vector<std::string>& right = *sample.truth->texts;
    const bool before = is_among(right, a.words), after = is_among(right, b.words);
    bleu_[1].add(sample.number, a.words, right);
    bleu_[2].add(sample.number, b.words, right);
    ++labelled_;
    right_[0] += before ? 1 : 0;
    right_[1] += after ? 1 : 0;
    count_label_change(changes_, before, after, says_the_same(a, b));
  }

  void tell_bleu(std::map<std::string, MetricRecord>& metrics, const BleuByGroups& bleu) const {
    if (const auto score = bleu.score(seed())) metrics["bleu"] = record_of(*score);
  }

  SampleValues same_, all_, first_;
  std::array<BleuByGroups, 3> bleu_{};  // of the variant by the reference's texts, of both by the data
  std::int64_t exact_ = 0, labelled_ = 0;
  std::array<std::int64_t, 2> right_{};
  LabelChanges changes_;
};

class GenerationTask : public DecisionTask {
 public:
  [[nodiscard]] std::string name() const override { return "generation"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (text_outputs_among(outputs)) return std::nullopt;
    return fmt::format(
        "generation wants an output of floats [1,T,V] or [T,V], scores of each next token, such as 'logits', or int64 "
        "'tokens' [N]; there are: {}",
        text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs, std::span<const NamedTensor>) const override {
    const auto found = text_outputs_among(outputs);
    if (!found) return {};
    if (found->tokens && found->top_tokens && found->top_scores)
      return {0.97, "'tokens', 'top_tokens' and 'top_scores' are what a language model said"};
    if (!found->logits) return {};
    const OutputFacts& logits = outputs[*found->logits];
    if (logits.shape.size() != 3 || logits.shape[2] < least_vocabulary ||
        !names_one_of(logits.name, sure_names_of_logits))
      return {};
    return {0.9, fmt::format("'{}' has a score for each of {} tokens at each position", logits.name, logits.shape[2])};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    return decide_of(outputs, nullptr);
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide_of(std::span<const NamedTensor> outputs,
                                                            const SampleText* text) const override {
    const auto facts = facts_of(outputs);
    const auto found = text_outputs_among(facts);
    if (!found) return fail(ErrorKind::unsupported, *refuses(facts));
    auto decision = std::make_unique<TextDecision>();
    if (text != nullptr) decision->end = text->end;
    if (found->tokens) {
      auto choices = choices_of_tokens(outputs, *found);
      if (!choices) return tl::unexpected(choices.error());
      decision->choices = std::move(*choices);
      cut_at_end(*decision);
    } else {
      decision->choices = choices_of_logits(outputs[*found->logits].value, text);
    }
    if (text != nullptr) decision->decoder = text->decoder;
    if (decision->decoder) decision->words = words_said(*decision);
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const TextDecision &a = text_in(reference), &b = text_in(variant);
    const bool is_undecided = !says_something(a) && !says_something(b);
    if (says_the_same(a, b)) return DecisionChange{false, 0, told_text(a), told_text(b), is_undecided};
    const std::size_t place = first_difference(a, b);
    return DecisionChange{true, gap_at(a, b, place), told_token(a, place), told_token(b, place), is_undecided};
  }

  [[nodiscard]] Result<bool> changes_alike(const Decision& /*reference*/, const Decision& variant,
                                           const Decision& draw) const override {
    return says_the_same(text_in(variant), text_in(draw));
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const TextDecision& text = text_in(decision);
    ToldDecision told;
    told.words = told_text(text);
    if (text.decoder) told.label = text.words;
    if (!text.choices.empty())
      for (const ScoredToken& one : text.choices[0])
        if (told.best.size() < told_tokens) told.best.push_back({name_of_token(text, one.token), one.score});
    if (truth == nullptr || !truth->texts || truth->texts->empty()) return told;
    told.truth = truth->texts->front();
    if (text.decoder) told.is_right = is_among(*truth->texts, text.words);
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<TextComparator>(*this, options.seed);
  }
};

}  // namespace

std::unique_ptr<DecisionTask> make_generation_task(const TaskSettings&, std::span<const OutputFacts>) {
  return std::make_unique<GenerationTask>();
}

}  // namespace culprit
