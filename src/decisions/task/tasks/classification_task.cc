// A row of scores, one for each class: the best one is the label. Or the label itself.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "task/class_name.h"
#include "task/classification.h"
#include "task/label_scores.h"
#include "task/ranking.h"
#include "task/scored_labels.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

const std::vector<std::string> names_of_others{"embed", "feature", "hidden", "pool", "box", "start_", "end_", "top_"};
/// Classes of data sets that nets are trained with: MNIST, CIFAR, Places, ImageNet with and without background, 21k.
constexpr std::array<std::int64_t, 8> usual_counts{10, 100, 365, 1000, 1001, 21841, 21842, 21843};

struct LabelDecision : Decision {
  ClassRows read;
};

const ClassRows& rows_of(const Decision& decision) { return dynamic_cast<const LabelDecision&>(decision).read; }

bool are_of_one_size(const ClassRows& a, const ClassRows& b) {
  return a.labels.size() == b.labels.size() && std::ranges::equal(a.rows, b.rows, {}, &Numbers::size, &Numbers::size);
}

/// Labels without scores: the same one or another, and nobody knows how sure the model was.
LabelAgreement compare_bare(std::int64_t reference, std::int64_t variant) {
  const bool is_same = reference == variant;
  const double all = is_same ? 1 : 0;
  return {is_same, all, all, all, all, reference, variant, is_same ? 0.0 : 1.0};
}

std::int64_t class_named(const std::string& name, const std::vector<std::string>& class_names) {
  const auto named = std::ranges::find(class_names, name);
  return name.empty() || named == class_names.end() ? -1 : named - class_names.begin();
}

/// The class of a label; -1 where it is none that is known. The keys of a map are the classes. Else data number names
/// in an order of their own, so a name counts before the number that they give it; a label that is just a number is
/// the class of that number.
std::int64_t class_of(const Truth& truth, const ClassRows& rows, const TaskSettings& settings) {
  for (const std::string& text : {truth.name, truth.label}) {
    const auto key = std::ranges::find(rows.keys, text);
    if (!text.empty() && key != rows.keys.end()) return key - rows.keys.begin();
  }
  if (!rows.keys.empty()) return truth.label.empty() ? -1 : std::ssize(rows.keys);
  if (const auto named = class_named(truth.name, settings.class_names); named >= 0) return named;
  const std::string& label = truth.label;
  std::int64_t number = 0;
  auto read = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = !label.empty() && read.ec == std::errc() && read.ptr == label.data() + label.size();
  if (!is_number) return class_named(label, settings.class_names);
  return number >= 0 && number < std::int64_t{1} << 40 ? number + settings.label_offset : -1;
}

class LabelComparator : public TaskComparator {
 public:
  LabelComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed,
                  std::optional<ScoredLabels> scored)
      : TaskComparator(task, seed), settings_(settings), scored_(std::move(scored)) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const ClassRows &a = rows_of(reference), &b = rows_of(variant);
    std::array<double, 4> sums{};
    for (std::size_t row = 0; row < a.rows.size(); ++row) {
      const LabelAgreement agreement = compare_labels(a.rows[row], b.rows[row]);
      const std::array<double, 4> each{agreement.top5, agreement.top10, agreement.tau5, agreement.overlap};
      for (std::size_t i = 0; i < each.size(); ++i) sums[i] += each[i] / static_cast<double>(a.rows.size());
      ++rows_;
      same_ += agreement.is_same_label ? 1 : 0;
    }
    for (std::size_t i = 0; i < sums.size() && !a.rows.empty(); ++i) values_[i].add(sums[i]);
    for (std::size_t row = 0; row < a.labels.size(); ++row) {
      ++rows_;
      ++bare_;
      same_ += a.labels[row] == b.labels[row] ? 1 : 0;
    }
    return sample.truth == nullptr ? Result<void>() : compare_with_truth(a, b, sample);
  }

  Result<void> write(StateWriter& state) const override {
    for (const SampleValues& values : values_) values.write(state);
    state.add(rows_).add(same_).add(bare_).add(labelled_).add(outside_).add(classes_);
    for (const std::int64_t right : right_) state.add(right);
    write_label_changes(state, changes_);
    return scored_ ? scored_->write(state) : Result<void>();
  }

  Result<void> read_and_merge(StateReader& state) override {
    for (SampleValues& values : values_) values.merge(SampleValues::read(state));
    for (std::int64_t* count : {&rows_, &same_, &bare_, &labelled_, &outside_}) *count += state.count();
    classes_ = std::max(classes_, state.count());
    for (std::int64_t& right : right_) right += state.count();
    merge_label_changes(state, changes_);
    return scored_ ? scored_->merge(state) : Result<void>();
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["top1_agreement"] = record_of(rate_of(static_cast<double>(same_), rows_));
    if (bare_ == 0) fill_ranks(record);
    if (rows_ == 0 && record.samples > 0)  // neither model has a row on any sample
      for (auto& [name, metric] : record.metrics) metric = {1, 0, 1};
    record.labelled = labelled_;
    record.label_changes = changes_;
    record.labels_outside = outside_;
    record.classes = classes_;
    if (labelled_ == 0) return {};
    const auto rate = [&](std::size_t i) { return record_of(rate_of(static_cast<double>(right_[i]), labelled_)); };
    record.reference_against_labels = {{"top1", rate(0)}};
    record.variant_against_labels = {{"top1", rate(2)}};
    if (bare_ == 0) {
      record.reference_against_labels["top5"] = rate(1);
      record.variant_against_labels["top5"] = rate(3);
    }
    return scored_ ? scored_->fill(record, seed()) : Result<void>();
  }

 private:
  /// Fills in the ranks where there are scores.
  void fill_ranks(DecisionRecord& record) const {
    record.metrics["top5_agreement"] = record_of(values_[0].share(seed()));
    record.metrics["top10_agreement"] = record_of(values_[1].share(seed()));
    record.metrics["kendall_tau_top5"] = record_of(values_[2].mean_within(-1, 1, seed()));
    record.metrics["rbo"] = record_of(values_[3].share(seed()));
  }

  Result<void> compare_with_truth(const ClassRows& reference, const ClassRows& variant, const SampleOutputs& sample) {
    const std::int64_t truth = class_of(*sample.truth, reference, settings_);
    if (truth < 0) return {};
    count_right(reference, variant, truth);
    return scored_ ? scored_->add(sample.number, reference, variant, truth) : Result<void>();
  }

  void count_right(const ClassRows& reference, const ClassRows& variant, std::int64_t truth) {
    if (reference.labels.size() == 1) {
      ++labelled_;
      const bool was_right = reference.labels[0] == truth, is_right = variant.labels[0] == truth;
      right_[0] += was_right ? 1 : 0;
      right_[2] += is_right ? 1 : 0;
      count_label_change(changes_, was_right, is_right, reference.labels[0] == variant.labels[0]);
    }
    if (reference.rows.size() != 1) return;
    ++labelled_;
    const Numbers &a = reference.rows[0], &b = variant.rows[0];
    if (truth >= std::ssize(a)) {
      ++outside_;
      classes_ = std::max<std::int64_t>(classes_, std::ssize(a));
    }
    const std::array<bool, 4> right{is_in_top(a, truth, 1), is_in_top(a, truth, 5), is_in_top(b, truth, 1),
                                    is_in_top(b, truth, 5)};
    for (std::size_t i = 0; i < right.size(); ++i) right_[i] += right[i] ? 1 : 0;
    count_label_change(changes_, right[0], right[2], compare_labels(a, b).is_same_label);
  }

  const TaskSettings& settings_;
  std::array<SampleValues, 4> values_;  ///< top5, top10, tau, overlap: 16 bytes a sample
  std::int64_t rows_ = 0, same_ = 0, labelled_ = 0;
  std::int64_t bare_ = 0;                   ///< rows that are a label without scores
  std::int64_t outside_ = 0, classes_ = 0;  ///< labels that are no class of the outputs, and how many those have
  std::array<std::int64_t, 4> right_{};
  LabelChanges changes_;
  std::optional<ScoredLabels> scored_;  ///< where that is asked: 8 bytes a sample
};

class ClassificationTask : public DecisionTask {
 public:
  explicit ClassificationTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "classification"; }
  [[nodiscard]] TaskTraits traits() const override { return {.gives_one_label = true}; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (scores_among(outputs, settings_.output)) return std::nullopt;
    return fmt::format(
        "classification wants an output of scores [C] or [N,C] of two classes or more, of numbers; or [N,1] with the "
        "chance of class 1, or [N] of int64 with the labels themselves; there are: {}",
        text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    const auto scores = scores_among(outputs, settings_.output);
    if (!scores) return {};
    const OutputFacts& output = outputs[scores->at];
    const auto decision = scores->at < example.size() ? decide(example) : Result<std::unique_ptr<Decision>>();
    const bool is_read = decision && *decision != nullptr;
    if (scores->form == ScoreForm::labels)
      return {is_called_as_scores(output) ? 0.7 : 0.4, fmt::format("'{}' holds whole numbers", output.name)};
    if (scores->form == ScoreForm::chance) {
      if (!is_read) return {};
      return {is_called_as_scores(output) ? 0.7 : 0.3, fmt::format("'{}' is between 0 and 1", output.name)};
    }
    const bool add_up =
        is_read && !rows_of(**decision).rows.empty() &&
        std::ranges::all_of(rows_of(**decision).rows, [](const Numbers& row) { return are_probabilities(row); });
    if (add_up) return {0.95, fmt::format("the rows of '{}' add up to 1", output.name)};
    return fits_by_form(outputs, *scores);
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto scores = scores_among(facts, settings_.output);
    if (!scores) return fail(ErrorKind::unsupported, *refuses(facts));
    auto read = read_class_rows(*scores, outputs, settings_.softmax);
    if (!read) return tl::unexpected(read.error());
    auto decision = std::make_unique<LabelDecision>();
    decision->read = std::move(*read);
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const ClassRows &a = rows_of(reference), &b = rows_of(variant);
    if (!are_of_one_size(a, b))
      return fail(ErrorKind::unsupported, "the variant has scores of another size than the reference");
    DecisionChange worst;
    bool is_undecided = false;
    const std::size_t rows = a.rows.size() + a.labels.size();
    for (std::size_t row = 0; row < rows; ++row) {
      const LabelAgreement agreement = agreement_on(a, b, row);
      is_undecided |= agreement.reference < 0 && agreement.variant < 0;
      const bool is_worse = !agreement.is_same_label && (!worst.changed || agreement.margin > worst.margin);
      if (row > 0 && !is_worse) continue;
      const std::string where = rows > 1 ? fmt::format("row {}: ", row) : "";
      worst = {!agreement.is_same_label, agreement.margin, where + words_of(agreement.reference, a, row),
               where + words_of(agreement.variant, b, row)};
    }
    worst.is_undecided = is_undecided;
    return worst;
  }

  /// The row of whose label the reference was surest has the variant's label in the draw, too.
  [[nodiscard]] Result<bool> changes_alike(const Decision& reference, const Decision& variant,
                                           const Decision& draw) const override {
    const ClassRows &a = rows_of(reference), &b = rows_of(variant), &c = rows_of(draw);
    if (!are_of_one_size(a, b) || !are_of_one_size(a, c)) return false;
    std::optional<std::size_t> surest;
    double margin = 0;
    for (std::size_t row = 0; row < a.rows.size() + a.labels.size(); ++row) {
      const LabelAgreement agreement = agreement_on(a, b, row);
      if (agreement.is_same_label || (surest && agreement.margin <= margin)) continue;
      surest = row;
      margin = agreement.margin;
    }
    return !surest || agreement_on(b, c, *surest).is_same_label;
  }

  /// The best classes of the only row; of several rows their labels in words.
  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const ClassRows& read = rows_of(decision);
    ToldDecision told;
    const std::size_t rows = read.rows.size() + read.labels.size();
    for (std::size_t row = 0; row < rows; ++row)
      told.words += (row > 0 ? "; " : "") + words_of(label_of(read, row), read, row);
    if (rows != 1) return told;
    constexpr std::size_t most_told = 5;
    if (!read.rows.empty()) {
      for (const std::int64_t label : top_k(read.rows[0], most_told))
        told.best.push_back({name_of_class(label, read), read.rows[0][static_cast<std::size_t>(label)]});
    }
    const std::int64_t label = label_of(read, 0);
    if (label >= 0) told.label = name_of_class(label, read);
    const std::int64_t right = truth == nullptr ? -1 : class_of(*truth, read, settings_);
    if (right < 0) return told;
    told.truth = name_of_class(right, read);
    told.is_right = label == right;
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    if (!options.with_scores) return std::make_unique<LabelComparator>(*this, settings_, options.seed, std::nullopt);
    auto spill = one_spill(options);
    if (!spill) return tl::unexpected(spill.error());
    return std::make_unique<LabelComparator>(*this, settings_, options.seed,
                                             ScoredLabels(settings_, std::move(*spill)));
  }

 private:
  /// How well rows that do not add up to 1 fit is told by the name of the output, and by how many numbers a row has.
  static TaskFit fits_by_form(std::span<const OutputFacts> outputs, const ScoresOutput& scores) {
    const OutputFacts& output = outputs[scores.at];
    const std::string rows = fmt::format("'{}' has rows of numbers", output.name);
    const auto holds_boxes = [](const OutputFacts& one) { return one.shape.size() > 1 && one.shape.back() == 4; };
    if (outputs.size() > 1 && std::ranges::any_of(outputs, holds_boxes)) return {0.2, rows};
    if (names_one_of(output.name, names_of_others)) return {0.1, rows};
    if (is_called_as_scores(output)) return {0.9, fmt::format("'{}' is called as scores are", output.name)};
    if (std::ranges::find(usual_counts, scores.classes) != usual_counts.end())
      return {0.8, fmt::format("'{}' has {} numbers, a usual count of classes", output.name, scores.classes)};
    return {0.4, rows};
  }

  [[nodiscard]] LabelAgreement agreement_on(const ClassRows& one, const ClassRows& other, std::size_t row) const {
    if (row >= one.rows.size()) return compare_bare(one.labels[row], other.labels[row]);
    const Numbers &a = one.rows[row], &b = other.rows[row];
    LabelAgreement agreement = compare_labels(a, b);
    const bool have_labels = agreement.reference >= 0 && agreement.variant >= 0;
    if (settings_.softmax && have_labels && !agreement.is_same_label && !are_probabilities(a))
      agreement.margin = margin_between(softmax(a), agreement.reference, agreement.variant);
    return agreement;
  }

  static std::int64_t label_of(const ClassRows& read, std::size_t row) {
    if (row >= read.rows.size()) return read.labels[row - read.rows.size()];
    return compare_labels(read.rows[row], read.rows[row]).reference;
  }

  /// As the map or culprit.yaml spell it, else its number.
  [[nodiscard]] std::string name_of_class(std::int64_t label, const ClassRows& read) const {
    const auto place = static_cast<std::size_t>(label);
    return place < read.keys.size() ? read.keys[place] : class_name(label, settings_.class_names);
  }

  [[nodiscard]] std::string words_of(std::int64_t label, const ClassRows& rows, std::size_t row) const {
    if (label < 0 && row < rows.rows.size())
      return std::ranges::any_of(rows.rows[row], [](double x) { return std::isnan(x); }) ? "no label (NaN)"
                                                                                         : "no label (infinities)";
    const auto place = static_cast<std::size_t>(label);
    if (place < rows.keys.size()) return "label " + printable(rows.keys[place], 60);
    if (label < 0 || place >= settings_.class_names.size()) return fmt::format("label {}", label);
    return fmt::format("label {} ({})", label, settings_.class_names[place]);
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_classification_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<ClassificationTask>(settings);
}

}  // namespace culprit
