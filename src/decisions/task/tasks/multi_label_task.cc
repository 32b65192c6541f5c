// Several chances, one for each class, of which any number may be right at once.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "base/text.h"
#include "task/average_precision.h"
#include "task/best_score.h"
#include "task/class_name.h"
#include "task/label_scores.h"
#include "task/label_sets.h"
#include "task/ranking.h"
#include "task/scored_sets.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;
using LabelSet = std::vector<std::int64_t>;

/// What is chosen in one row of the output.
struct ChosenClasses {
  Numbers scores;
  LabelSet labels;       ///< those above the threshold, ascending
  bool is_lost = false;  ///< it holds NaN, so nothing is decided
};

struct SetDecision : Decision {
  std::vector<ChosenClasses> rows;
};

const std::vector<ChosenClasses>& rows_in(const Decision& decision) {
  return dynamic_cast<const SetDecision&>(decision).rows;
}

/// The classes that are right; nothing where that is not known. A label alone is a set of one.
std::optional<LabelSet> right_of(const Truth* truth, const std::vector<std::string>& class_names) {
  if (truth == nullptr) return std::nullopt;
  if (truth->classes) return truth->classes;
  const auto named = std::ranges::find(class_names, truth->name.empty() ? truth->label : truth->name);
  if (named != class_names.end()) return LabelSet{named - class_names.begin()};
  std::int64_t number = -1;
  const std::string& label = truth->label;
  const auto read = std::from_chars(label.data(), label.data() + label.size(), number);
  const bool is_number = !label.empty() && read.ec == std::errc() && read.ptr == label.data() + label.size();
  return is_number && number >= 0 ? std::optional(LabelSet{number}) : std::nullopt;
}

/// One model against sets that are right. 16 bytes of a class of a sample go to the spill.
class SetAgreement {
 public:
  explicit SetAgreement(std::unique_ptr<Spill> spill) : precision_(std::move(spill)) {}

  Result<void> add(std::int64_t sample, const ChosenClasses& given, const LabelSet& right) {
    counts_.add(sample, given.labels, right);
    SampleMatches matches;
    for (std::size_t i = 0; i < given.scores.size(); ++i) {
      const auto label = static_cast<std::int64_t>(i);
      const bool is_right = std::ranges::binary_search(right, label);
      matches.truths[label] = is_right ? 1 : 0;
      BoxMatch match;
      match.score = given.scores[i];
      match.label = label;
      match.matched = is_right ? 1 : 0;
      matches.boxes.push_back(match);
    }
    return precision_.add(sample, matches);
  }
  Result<void> write(StateWriter& state) const {
    counts_.write(state);
    return precision_.write(state);
  }
  Result<void> merge(StateReader& state) {
    counts_.merge(LabelSetCounts::read(state));
    return precision_.merge(state);
  }
  /// Also what the scores of each class tell.
  Result<StepsResult> fill(std::map<std::string, MetricRecord>& into, MetricsByClass& by_class,
                           const std::vector<std::string>& class_names, std::uint64_t seed) const {
    into["exact_match"] = record_of(counts_.exact_match());
    into["f1_micro"] = record_of(counts_.f1_micro(seed));
    into["f1_macro"] = record_of(counts_.f1_macro(seed));
    auto steps = precision_.by_steps(seed);
    if (!steps) return steps;
    if (steps->precision) into["map"] = record_of(*steps->precision);
    by_class = metrics_by_class(*steps, class_names);
    return steps;
  }

 private:
  /// The metrics of each class that is chosen or right anywhere.
  [[nodiscard]] MetricsByClass metrics_by_class(const StepsResult& steps,
                                                const std::vector<std::string>& class_names) const {
    MetricsByClass by_class{"ap", {}};
    auto step = steps.classes.begin();
    for (const LabelSetCounts::ClassCount& count : counts_.classes()) {
      ClassMetrics& one = by_class.classes.emplace_back();
      one = {class_name(count.label, class_names), count.right, {}};
      const auto hits = static_cast<double>(count.hits);
      if (count.given > 0) one.metrics["precision"] = hits / static_cast<double>(count.given);
      if (count.right > 0) one.metrics["recall"] = hits / static_cast<double>(count.right);
      one.metrics["f1"] = 2 * hits / static_cast<double>(count.given + count.right);
      while (step != steps.classes.end() && step->label < count.label) ++step;
      if (step == steps.classes.end() || step->label != count.label) continue;
      one.metrics["ap"] = step->precision;
      if (step->area) one.metrics["auc"] = *step->area;
    }
    return by_class;
  }

  LabelSetCounts counts_;
  AveragePrecision precision_;
};

class SetComparator : public TaskComparator {
 public:
  /// The variant against the reference, and both against labels.
  using Agreements = std::array<SetAgreement, 3>;

  SetComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed, Agreements agreements,
                std::optional<ScoredSets> scored)
      : TaskComparator(task, seed),
        settings_(settings),
        agreements_(std::move(agreements)),
        scored_(std::move(scored)) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const auto &a = rows_in(reference), &b = rows_in(variant);
    for (std::size_t row = 0; row < a.size(); ++row)
      if (auto added = agreements_[0].add(sample.number, b[row], a[row].labels); !added) return added;
    const auto right = right_of(sample.truth, settings_.class_names);
    if (!right || a.size() != 1) return {};
    ++labelled_;
    const auto classes = std::ssize(a[0].scores);
    outside_ += std::ranges::count_if(*right, [&](std::int64_t label) { return label >= classes; }) > 0 ? 1 : 0;
    classes_ = std::max<std::int64_t>(classes_, classes);
    if (auto added = agreements_[1].add(sample.number, a[0], *right); !added) return added;
    if (auto added = agreements_[2].add(sample.number, b[0], *right); !added) return added;
    return scored_ ? scored_->add(sample.number, a[0].scores, b[0].scores, *right) : Result<void>();
  }

  Result<void> write(StateWriter& state) const override {
    state.add(labelled_).add(outside_).add(classes_);
    for (const SetAgreement& agreement : agreements_)
      if (auto written = agreement.write(state); !written) return written;
    return scored_ ? scored_->write(state) : Result<void>();
  }

  Result<void> read_and_merge(StateReader& state) override {
    labelled_ += state.count();
    outside_ += state.count();
    classes_ = std::max(classes_, state.count());
    for (SetAgreement& agreement : agreements_)
      if (auto merged = agreement.merge(state); !merged) return merged;
    return scored_ ? scored_->merge(state) : Result<void>();
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.labelled = labelled_;
    record.labels_outside = outside_;
    record.classes = outside_ > 0 ? classes_ : 0;
    const auto fill_one = [&](std::size_t i, std::map<std::string, MetricRecord>& into, MetricsByClass& by_class) {
      return agreements_[i].fill(into, by_class, settings_.class_names, seed());
    };
    const auto agreement = fill_one(0, record.metrics, record.by_class);
    if (!agreement) return tl::unexpected(agreement.error());
    if (labelled_ == 0) return {};
    const auto first = fill_one(1, record.reference_against_labels, record.reference_by_class);
    if (!first) return tl::unexpected(first.error());
    const auto own = fill_one(2, record.variant_against_labels, record.variant_by_class);
    if (!own) return tl::unexpected(own.error());
    return scored_ ? scored_->fill(record, *own, seed()) : Result<void>();
  }

 private:
  const TaskSettings& settings_;
  Agreements agreements_;
  std::optional<ScoredSets> scored_;  ///< where that is asked: 8 bytes a sample
  std::int64_t labelled_ = 0;
  std::int64_t outside_ = 0, classes_ = 0;  ///< sets with labels of no class of the outputs, and how many those have
};

class MultiLabelTask : public DecisionTask {
 public:
  explicit MultiLabelTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "multi_label"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (chances_among(outputs)) return std::nullopt;
    return fmt::format("multi_label wants an output of floats [C] or [N,C], a chance for each class; there are: {}",
                       text_of(outputs));
  }

  /// Nothing in numbers tells several chances from scores of one choice: labels do, or who asks.
  [[nodiscard]] TaskFit fits(std::span<const OutputFacts>, std::span<const NamedTensor>) const override { return {}; }

  [[nodiscard]] std::vector<std::string> about() const override {
    return {fmt::format("classes with a chance above {:g} count; average precision looks at all", threshold())};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs, settings_.fed_back);
    const auto chances = chances_among(facts);
    if (!chances) return fail(ErrorKind::unsupported, *refuses(facts));
    auto read = read_class_rows(*chances, outputs, false);
    if (!read) return tl::unexpected(read.error());
    auto decision = std::make_unique<SetDecision>();
    for (Numbers& row : read->rows) {
      if (auto ok = expect_chances(row, facts[chances->at].name); !ok) return tl::unexpected(ok.error());
      decision->rows.push_back(chosen(std::move(row)));
    }
    return decision;
  }

  /// Changed where a class is chosen by one alone. The margin is how far the reference was from the threshold in the
  /// surest of these.
  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const auto &a = rows_in(reference), &b = rows_in(variant);
    const auto size = [](const ChosenClasses& row) { return row.scores.size(); };
    if (!std::ranges::equal(a, b, {}, size, size))
      return fail(ErrorKind::unsupported, "the variant has chances of another size than the reference");
    DecisionChange worst;
    bool is_undecided = false;
    for (std::size_t row = 0; row < a.size(); ++row) {
      is_undecided |= a[row].is_lost && b[row].is_lost;
      DecisionChange change = change_of(a[row], b[row]);
      if (row > 0 && (!change.changed || (worst.changed && change.margin <= worst.margin))) continue;
      worst = std::move(change);
      if (a.size() == 1) continue;
      worst.reference = fmt::format("row {}: {}", row, worst.reference);
      worst.variant = fmt::format("row {}: {}", row, worst.variant);
    }
    worst.is_undecided = is_undecided;
    return worst;
  }

  [[nodiscard]] ToldDecision tell(const Decision& decision, const Truth* truth) const override {
    const auto& rows = rows_in(decision);
    ToldDecision told;
    for (std::size_t row = 0; row < rows.size(); ++row) told.words += (row > 0 ? "; " : "") + words_of(rows[row]);
    if (rows.size() != 1) return told;
    constexpr std::size_t most_told = 5;
    for (const std::int64_t label : top_k(rows[0].scores, most_told))
      told.best.push_back({class_name(label, settings_.class_names), rows[0].scores[static_cast<std::size_t>(label)]});
    told.label = names_of(rows[0].labels);
    const auto right = right_of(truth, settings_.class_names);
    if (!right) return told;
    told.truth = names_of(*right);
    told.is_right = !rows[0].is_lost && rows[0].labels == *right;
    return told;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    auto spills = three_spills(options);
    if (!spills) return tl::unexpected(spills.error());
    auto& [first, second, third] = *spills;
    SetComparator::Agreements agreements{SetAgreement(std::move(first)), SetAgreement(std::move(second)),
                                         SetAgreement(std::move(third))};
    std::optional<ScoredSets> scored;
    if (options.with_scores) {
      auto spill = one_spill(options);
      if (!spill) return tl::unexpected(spill.error());
      scored.emplace(std::move(*spill));
    }
    return std::make_unique<SetComparator>(*this, settings_, options.seed, std::move(agreements), std::move(scored));
  }

 private:
  [[nodiscard]] double threshold() const { return settings_.threshold.value_or(0.5); }

  [[nodiscard]] std::optional<ScoresOutput> chances_among(std::span<const OutputFacts> outputs) const {
    auto scores = scores_among(outputs, settings_.output);
    const bool is_read = scores && scores->form == ScoreForm::scores && is_float(outputs[scores->at].type);
    return is_read ? scores : std::nullopt;
  }

  /// They may be logits with a threshold of the user's.
  [[nodiscard]] Result<void> expect_chances(const Numbers& row, const std::string& output) const {
    const auto beyond = std::ranges::find_if(row, [](double x) { return x < 0 || x > 1; });
    if (settings_.threshold || beyond == row.end()) return {};
    return fail(ErrorKind::unsupported,
                fmt::format("'{}' gives {}, which is no chance between 0 and 1", printable(output, 60), *beyond),
                "--threshold 0 where these are logits");
  }

  [[nodiscard]] ChosenClasses chosen(Numbers scores) const {
    ChosenClasses row{std::move(scores), {}, false};
    row.is_lost = std::ranges::any_of(row.scores, [](double x) { return std::isnan(x); });
    for (std::size_t i = 0; i < row.scores.size() && !row.is_lost; ++i)
      if (row.scores[i] > threshold()) row.labels.push_back(static_cast<std::int64_t>(i));
    return row;
  }

  [[nodiscard]] DecisionChange change_of(const ChosenClasses& a, const ChosenClasses& b) const {
    DecisionChange change{false, 0, words_of(a), words_of(b)};
    if (a.is_lost != b.is_lost) change = {true, b.is_lost ? lost_decision : 0, words_of(a), words_of(b)};
    if (a.is_lost || b.is_lost) return change;
    LabelSet differ;
    std::ranges::set_symmetric_difference(a.labels, b.labels, std::back_inserter(differ));
    for (const std::int64_t label : differ)
      change.margin = std::max(change.margin, std::abs(a.scores[static_cast<std::size_t>(label)] - threshold()));
    change.changed = !differ.empty();
    return change;
  }

  [[nodiscard]] std::string names_of(const LabelSet& labels) const {
    std::vector<std::string> names;
    for (const std::int64_t label : labels) names.push_back(class_name(label, settings_.class_names));
    return join(names, "|");
  }

  [[nodiscard]] std::string words_of(const ChosenClasses& row) const {
    if (row.is_lost) return "no labels (NaN)";
    return row.labels.empty() ? "no labels" : "labels " + names_of(row.labels);
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_multi_label_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<MultiLabelTask>(settings);
}

}  // namespace culprit
