// Scores of each character for each frame of a sound: what a CTC model heard, read greedily.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "base/text.h"
#include "task/best_score.h"
#include "task/class_name.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"
#include "text/error_rate.h"

namespace culprit {
namespace {

const std::vector<std::string> names_of_ctc{"logits", "log_probs", "logprobs"};
constexpr std::array<std::string_view, 5> names_of_blank{"<pad>", "<blank>", "[PAD]", "<blk>", "_"};
constexpr std::string_view word_begin = "\xE2\x96\x81";  // of SentencePiece

struct HeardText : Decision {
  std::vector<double> scores;      ///< of each class in each frame
  std::vector<std::int64_t> best;  ///< the class of each frame
  std::string text;                ///< "" where nothing is heard or nothing can be read
  bool is_lost = false;            ///< a frame has no best class
  std::size_t classes = 1;
};

const HeardText& heard_in(const Decision& decision) { return dynamic_cast<const HeardText&>(decision); }

/// [T,V] or [1,T,V].
bool are_frames_of_classes(const OutputFacts& output) {
  const Shape& shape = output.shape;
  return is_float(output.type) && (shape.size() == 2 || (shape.size() == 3 && may_be(shape[0], 1))) &&
         shape.back() != 0;
}

/// A class in angle or square brackets stands for no sound.
bool is_special(std::string_view name) {
  return name.size() > 2 &&
         ((name.front() == '<' && name.back() == '>') || (name.front() == '[' && name.back() == ']'));
}

bool is_same_text(const HeardText& a, const HeardText& b) { return a.is_lost == b.is_lost && a.text == b.text; }

/// By how much the reference's class of a frame stands above the variant's, where it was surest. Rounding makes no
/// other number of frames.
double surest_gap(const HeardText& reference, const HeardText& variant) {
  if (reference.is_lost) return 0;
  if (variant.is_lost || variant.best.size() != reference.best.size()) return lost_decision;
  double surest = 0;
  for (std::size_t frame = 0; frame < reference.best.size(); ++frame) {
    const double* scores = reference.scores.data() + frame * reference.classes;
    surest = std::max(surest, scores[reference.best[frame]] - scores[variant.best[frame]]);
  }
  return surest;
}

std::string told_text(const HeardText& heard) {
  if (heard.is_lost) return "no text can be read (NaN)";
  return heard.text.empty() ? "no words" : "\"" + printable(heard.text, 80) + "\"";
}

/// The text that was said; nothing where that is not known. A number alone is no text.
std::optional<std::string> said_in(const Truth* truth) {
  if (truth == nullptr) return std::nullopt;
  if (truth->texts) return truth->texts->empty() ? std::string() : std::string(trim(truth->texts->front()));
  const std::string said(trim(truth->name.empty() ? truth->label : truth->name));
  if (said.find_first_not_of("0123456789") == said.npos) return std::nullopt;
  return said;
}

/// Errors of one kind in all samples, 4 bytes a sample; how long the texts were is kept beside, for both models once.
Estimate rate_of_errors(const SampleValues& errors, const SampleValues& lengths, std::uint64_t seed) {
  Estimate rate = errors.ratio(lengths, 1, errors.sum(), seed);
  rate.high = std::max(rate.high, rate.value);
  return rate;
}

/// How many words and characters the right texts have.
struct TextLengths {
  SampleValues words, characters;
  void write(StateWriter& state) const {
    words.write(state);
    characters.write(state);
  }
  void merge(StateReader& state) {
    words.merge(SampleValues::read(state));
    characters.merge(SampleValues::read(state));
  }
};

/// Texts that were heard, against those that are right.
class HeardTexts {
 public:
  void add(const ErrorCount& words, const ErrorCount& characters, bool is_exact) {
    word_errors_.add(static_cast<double>(words.errors));
    character_errors_.add(static_cast<double>(characters.errors));
    exact_ += is_exact ? 1 : 0;
  }
  void write(StateWriter& state) const {
    word_errors_.write(state);
    character_errors_.write(state);
    state.add(exact_);
  }
  void merge(StateReader& state) {
    word_errors_.merge(SampleValues::read(state));
    character_errors_.merge(SampleValues::read(state));
    exact_ += state.count();
  }
  /// Are these the lengths of as many texts?
  [[nodiscard]] bool fits(const TextLengths& lengths) const {
    const std::size_t samples = word_errors_.size();
    return character_errors_.size() == samples && lengths.words.size() == samples &&
           lengths.characters.size() == samples;
  }
  [[nodiscard]] std::map<std::string, MetricRecord> metrics(const TextLengths& lengths, std::uint64_t seed) const {
    const auto samples = static_cast<std::int64_t>(word_errors_.size());
    return {{"wer", record_of(rate_of_errors(word_errors_, lengths.words, seed))},
            {"cer", record_of(rate_of_errors(character_errors_, lengths.characters, seed))},
            {"exact_match", record_of(rate_of(static_cast<double>(exact_), samples))}};
  }

 private:
  SampleValues word_errors_, character_errors_;
  std::int64_t exact_ = 0;
};

/// 40 bytes of a sample stay.
class SpeechComparator : public TaskComparator {
 public:
  SpeechComparator(const DecisionTask& task, std::uint64_t seed, bool has_names)
      : TaskComparator(task, seed), has_names_(has_names) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const HeardText &a = heard_in(reference), &b = heard_in(variant);
    count(a.text, b.text, is_same_text(a, b), agreement_, &lengths_);
    const auto said = has_names_ ? said_in(sample.truth) : std::nullopt;
    if (!said) return {};
    const bool before = !a.is_lost && a.text == *said, after = !b.is_lost && b.text == *said;
    count(*said, a.text, before, right_[0], &said_);
    count(*said, b.text, after, right_[1], nullptr);
    count_label_change(changes_, before, after, is_same_text(a, b));
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    agreement_.write(state);
    lengths_.write(state);
    for (const HeardTexts& right : right_) right.write(state);
    said_.write(state);
    write_label_changes(state, changes_);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    agreement_.merge(state);
    lengths_.merge(state);
    for (HeardTexts& right : right_) right.merge(state);
    said_.merge(state);
    merge_label_changes(state, changes_);
    const bool is_whole = agreement_.fits(lengths_) && right_[0].fits(said_) && right_[1].fits(said_);
    if (!is_whole) state.refuse();
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics = agreement_.metrics(lengths_, seed());
    if (!has_names_) record.metrics.erase("cer");  // the digits of numbers of classes say nothing
    record.labelled = static_cast<std::int64_t>(said_.words.size());
    record.label_changes = changes_;
    if (record.labelled == 0) return {};
    record.reference_against_labels = right_[0].metrics(said_, seed());
    record.variant_against_labels = right_[1].metrics(said_, seed());
    return {};
  }

 private:
  static void count(const std::string& said, const std::string& heard, bool is_exact, HeardTexts& texts,
                    TextLengths* lengths) {
    const ErrorCount words = word_errors(said, heard), characters = character_errors(said, heard);
    texts.add(words, characters, is_exact);
    if (lengths == nullptr) return;
    lengths->words.add(static_cast<double>(words.length));
    lengths->characters.add(static_cast<double>(characters.length));
  }

  bool has_names_;
  HeardTexts agreement_;               // of the variant, with the reference's text as the right one
  TextLengths lengths_, said_;         // of the reference's texts, and of those that were said
  std::array<HeardTexts, 2> right_{};  // of both, by the data
  LabelChanges changes_;
};

class SpeechTask : public DecisionTask {
 public:
  SpeechTask(TaskSettings settings, std::span<const OutputFacts> outputs) : settings_(std::move(settings)) {
    if (const auto at = frames_among(outputs)) classes_ = outputs[*at].shape.back();
  }
  [[nodiscard]] std::string name() const override { return "speech"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    const auto at = frames_among(outputs);
    if (!at)
      return fmt::format(
          "speech wants an output of floats [T,V] or [1,T,V], a score for each class in each frame; "
          "there are: {}",
          text_of(outputs));
    const std::int64_t classes = outputs[*at].shape.back();
    if (settings_.class_names.empty() || classes < 0) return std::nullopt;
    if (classes < names_count())
      return fmt::format("'{}' has {} classes, and 'classes' names {}: names that are too many belong to another model",
                         printable(outputs[*at].name, 60), classes, names_count());
    if (classes <= names_count() + 1) return std::nullopt;
    return fmt::format("'{}' has {} classes, and 'classes' names {}: of all of them, the blank alone may have no name",
                       printable(outputs[*at].name, 60), classes, names_count());
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs, std::span<const NamedTensor>) const override {
    const auto at = frames_among(outputs);
    if (!at || !is_ctc(outputs[*at])) return {};
    const Shape& shape = outputs[*at].shape;
    if (shape[shape.size() - 2] >= 0) return {};
    return {0.9, fmt::format("'{}' has a score for each of the {} classes in any number of frames", outputs[*at].name,
                             shape.back())};
  }

  [[nodiscard]] std::vector<std::string> about() const override {
    const std::string blank = classes_ < 0 ? "" : "; blank: " + told_blank();
    if (settings_.class_names.empty())
      return {"'classes' in culprit.yaml names no characters: numbers of classes stand for words" + blank};
    return {"the text is read greedily: the best class of each frame" + blank};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    if (const auto reason = refuses(facts)) return fail(ErrorKind::unsupported, *reason);
    const Tensor& output = outputs[*frames_among(facts)].value;
    auto decision = std::make_unique<HeardText>();
    decision->scores = numbers_of(output);
    decision->classes = static_cast<std::size_t>(output.shape().back());
    for (std::size_t at = 0; at + decision->classes <= decision->scores.size(); at += decision->classes) {
      BestScore best;
      for (std::size_t i = 0; i < decision->classes; ++i) best.add(decision->scores[at + i]);
      decision->best.push_back(best.label());
      decision->is_lost |= best.label() < 0;
    }
    if (!decision->is_lost) decision->text = text_in(*decision);
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const HeardText &a = heard_in(reference), &b = heard_in(variant);
    if (a.classes != b.classes)
      return fail(ErrorKind::unsupported, "the variant has scores of another number of classes than the reference");
    const bool is_same = is_same_text(a, b);
    return DecisionChange{!is_same, is_same ? 0 : surest_gap(a, b), told_text(a), told_text(b), a.is_lost && b.is_lost};
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const HeardText& heard = heard_in(decision);
    ToldDecision told;
    told.words = told_text(heard);
    told.label = heard.text;
    const auto said = settings_.class_names.empty() ? std::nullopt : said_in(truth);
    if (!said) return told;
    told.truth = *said;
    told.is_right = !heard.is_lost && heard.text == *said;
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<SpeechComparator>(*this, options.seed, !settings_.class_names.empty());
  }

 private:
  [[nodiscard]] std::int64_t names_count() const { return std::ssize(settings_.class_names); }

  /// Is it called as scores of CTC are, and has it the classes that have names?
  [[nodiscard]] bool is_ctc(const OutputFacts& output) const {
    const std::int64_t classes = output.shape.back();
    return !settings_.class_names.empty() && (classes == names_count() || classes == names_count() + 1) &&
           names_one_of(output.name, names_of_ctc);
  }

  /// Where the scores stand: as the user says, else those that are called so, else the first that may be some.
  [[nodiscard]] std::optional<std::size_t> frames_among(std::span<const OutputFacts> outputs) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!are_frames_of_classes(outputs[i])) continue;
      if (!settings_.output.empty() && outputs[i].name != settings_.output) continue;
      if (is_ctc(outputs[i])) return i;
      if (!first) first = i;
    }
    return first;
  }

  /// A file of names cannot hold a space: it becomes "", which stands for the space where the blank is another class.
  [[nodiscard]] std::int64_t blank_of(std::int64_t classes) const {
    const auto& names = settings_.class_names;
    for (const std::string_view blank : names_of_blank)
      if (const auto found = std::ranges::find(names, blank); found != names.end()) return found - names.begin();
    if (classes == names_count() + 1 && !names.empty()) return names_count();
    const auto empty = std::ranges::find(names, "");
    return empty == names.end() ? 0 : empty - names.begin();
  }

  /// "<pad>", or "class 0" where it has no name.
  [[nodiscard]] std::string told_blank() const {
    const std::int64_t blank = blank_of(classes_);
    const auto& names = settings_.class_names;
    const std::string name = blank < names_count() ? names[static_cast<std::size_t>(blank)] : "";
    return name.empty() ? fmt::format("class {}", blank) : printable(name, 60);
  }

  [[nodiscard]] std::string text_in(const HeardText& heard) const {
    const std::int64_t blank = blank_of(static_cast<std::int64_t>(heard.classes));
    std::string text;
    std::int64_t before = -1;
    for (const std::int64_t best : heard.best) {
      if (best != before && best != blank) text += letters_of(best);
      before = best;
    }
    return std::string(trim(text));
  }

  [[nodiscard]] std::string letters_of(std::int64_t label) const {
    std::string name = class_name(label, settings_.class_names);
    if (settings_.class_names.empty()) return name + " ";
    if (name == "|" || name.empty()) return " ";
    if (is_special(name)) return "";
    if (name.starts_with(word_begin)) name.replace(0, word_begin.size(), " ");
    return name;
  }

  TaskSettings settings_;
  std::int64_t classes_ = -1;  ///< -1: not known
};

}  // namespace

std::unique_ptr<DecisionTask> make_speech_task(const TaskSettings& settings, std::span<const OutputFacts> outputs) {
  return std::make_unique<SpeechTask>(settings, outputs);
}

}  // namespace culprit
