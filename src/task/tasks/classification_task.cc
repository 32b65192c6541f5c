// A row of scores, one for each class: the best one is the label.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "task/classification.h"
#include "task/ranking.h"
#include "task/task_comparator.h"
#include "task/tasks/tasks.h"

namespace culprit {
namespace {

using Numbers = std::vector<double>;

const std::vector<std::string> names_of_scores{"prob", "softmax", "logit", "class", "label", "score"};
const std::vector<std::string> names_of_others{"embed", "feature", "hidden", "pool", "box"};
/// Classes of data sets that nets are trained with: MNIST, CIFAR, Places, ImageNet with and without background, 21k.
constexpr std::array<std::int64_t, 8> usual_counts{10, 100, 365, 1000, 1001, 21841, 21842, 21843};

struct LabelDecision : Decision {
  std::vector<Numbers> rows;
};

/// The classes of [C], [N,C], [N,C,1,1] or [N,1,1,C]; nothing for other shapes. -1: not known.
std::optional<std::int64_t> classes_of(const OutputFacts& output) {
  const Shape& shape = output.shape;
  if (!is_float(output.type)) return std::nullopt;
  std::optional<std::int64_t> classes;
  if (shape.size() == 1 || shape.size() == 2) classes = shape.back();
  if (shape.size() == 4 && shape[2] == 1 && shape[3] == 1) classes = shape[1];
  if (shape.size() == 4 && shape[1] == 1 && shape[2] == 1 && shape[3] != 1) classes = shape[3];
  return classes && (*classes < 0 || *classes >= 2) ? classes : std::nullopt;
}

class LabelComparator : public TaskComparator {
 public:
  LabelComparator(const DecisionTask& task, const TaskSettings& settings, std::uint64_t seed)
      : TaskComparator(task, seed), settings_(settings) {}

 protected:
  Result<void> measure(const Decision& reference, const Decision& variant, const SampleOutputs& sample) override {
    const auto& a = dynamic_cast<const LabelDecision&>(reference).rows;
    const auto& b = dynamic_cast<const LabelDecision&>(variant).rows;
    std::array<double, 4> sums{};
    for (std::size_t row = 0; row < a.size(); ++row) {
      const LabelAgreement agreement = compare_labels(a[row], b[row]);
      const std::array<double, 4> each{agreement.top5, agreement.top10, agreement.tau5, agreement.overlap};
      for (std::size_t i = 0; i < each.size(); ++i) sums[i] += each[i] / static_cast<double>(a.size());
      ++rows_;
      same_ += agreement.is_same_label ? 1 : 0;
    }
    for (std::size_t i = 0; i < sums.size() && !a.empty(); ++i) values_[i].add(sums[i]);
    if (sample.truth && a.size() == 1) compare_with_truth(a[0], b[0], *sample.truth);
    return {};
  }

  Result<void> write(StateWriter& state) const override {
    for (const SampleValues& values : values_) values.write(state);
    state.add(rows_).add(same_).add(labelled_).add(outside_).add(classes_);
    for (const std::int64_t right : right_) state.add(right);
    return {};
  }

  Result<void> read_and_merge(StateReader& state) override {
    for (SampleValues& values : values_) values.merge(SampleValues::read(state));
    for (std::int64_t* count : {&rows_, &same_, &labelled_, &outside_}) *count += state.count();
    classes_ = std::max(classes_, state.count());
    for (std::int64_t& right : right_) right += state.count();
    return {};
  }

  Result<void> fill(DecisionRecord& record) const override {
    record.metrics["top1_agreement"] = record_of(rate_of(static_cast<double>(same_), rows_));
    record.metrics["top5_agreement"] = record_of(values_[0].share(seed()));
    record.metrics["top10_agreement"] = record_of(values_[1].share(seed()));
    record.metrics["kendall_tau_top5"] = record_of(values_[2].mean_within(-1, 1, seed()));
    record.metrics["rbo"] = record_of(values_[3].share(seed()));
    if (rows_ == 0 && record.samples > 0)  // neither model has a row on any sample
      for (auto& [name, metric] : record.metrics) metric = {1, 0, 1};
    record.labelled = labelled_;
    record.labels_outside = outside_;
    record.classes = classes_;
    if (labelled_ == 0) return {};
    const auto rate = [&](std::size_t i) { return record_of(rate_of(static_cast<double>(right_[i]), labelled_)); };
    record.reference_against_labels = {{"top1", rate(0)}, {"top5", rate(1)}};
    record.variant_against_labels = {{"top1", rate(2)}, {"top5", rate(3)}};
    return {};
  }

 private:
  [[nodiscard]] std::int64_t class_named(const std::string& name) const {
    const auto named = std::ranges::find(settings_.class_names, name);
    return name.empty() || named == settings_.class_names.end() ? -1 : named - settings_.class_names.begin();
  }

  /// The class of a label; -1 where it is none that is known. Data number names in an order of their own, so a name
  /// counts before the number that they give it; a label that is just a number is the class of that number.
  [[nodiscard]] std::int64_t class_of(const Truth& truth) const {
    if (const auto named = class_named(truth.name); named >= 0) return named;
    const std::string& label = truth.label;
    std::int64_t number = 0;
    auto read = std::from_chars(label.data(), label.data() + label.size(), number);
    const bool is_number = !label.empty() && read.ec == std::errc() && read.ptr == label.data() + label.size();
    if (!is_number) return class_named(label);
    return number >= 0 && number < std::int64_t{1} << 40 ? number + settings_.label_offset : -1;
  }

  void compare_with_truth(const Numbers& reference, const Numbers& variant, const Truth& of_sample) {
    const std::int64_t truth = class_of(of_sample);
    if (truth < 0) return;
    ++labelled_;
    if (truth >= std::ssize(reference)) {
      ++outside_;
      classes_ = std::max<std::int64_t>(classes_, std::ssize(reference));
    }
    const std::array<bool, 4> right{is_in_top(reference, truth, 1), is_in_top(reference, truth, 5),
                                    is_in_top(variant, truth, 1), is_in_top(variant, truth, 5)};
    for (std::size_t i = 0; i < right.size(); ++i) right_[i] += right[i] ? 1 : 0;
  }

  const TaskSettings& settings_;
  std::array<SampleValues, 4> values_;  ///< top5, top10, tau, overlap: 16 bytes a sample
  std::int64_t rows_ = 0, same_ = 0, labelled_ = 0;
  std::int64_t outside_ = 0, classes_ = 0;  ///< labels that are no class of the outputs, and how many those have
  std::array<std::int64_t, 4> right_{};
};

class ClassificationTask : public DecisionTask {
 public:
  explicit ClassificationTask(TaskSettings settings) : settings_(std::move(settings)) {}
  [[nodiscard]] std::string name() const override { return "classification"; }

  [[nodiscard]] std::optional<std::string> refuses(std::span<const OutputFacts> outputs) const override {
    if (scores_among(outputs)) return std::nullopt;
    return fmt::format("classification wants an output of scores [C] or [N,C] of two classes or more; there are: {}",
                       text_of(outputs));
  }

  [[nodiscard]] TaskFit fits(std::span<const OutputFacts> outputs,
                             std::span<const NamedTensor> example) const override {
    const auto at = scores_among(outputs);
    if (!at) return {};
    const OutputFacts& output = outputs[*at];
    const std::int64_t classes = classes_of(output).value_or(0);
    if (*at < example.size()) {
      const auto decision = decide(example);
      const auto* labels = decision ? dynamic_cast<const LabelDecision*>(decision->get()) : nullptr;
      if (labels && !labels->rows.empty() &&
          std::ranges::all_of(labels->rows, [](const Numbers& row) { return are_probabilities(row); }))
        return {0.95, fmt::format("the rows of '{}' add up to 1", output.name)};
    }
    const auto holds_boxes = [](const OutputFacts& one) { return one.shape.size() > 1 && one.shape.back() == 4; };
    if (outputs.size() > 1 && std::ranges::any_of(outputs, holds_boxes))
      return {0.2, fmt::format("'{}' has rows of numbers", output.name)};
    if (names_one_of(output.name, names_of_others)) return {0.1, fmt::format("'{}' has rows of numbers", output.name)};
    if (names_one_of(output.name, names_of_scores))
      return {0.9, fmt::format("'{}' is called as scores are", output.name)};
    if (std::ranges::find(usual_counts, classes) != usual_counts.end())
      return {0.8, fmt::format("'{}' has {} numbers, a usual count of classes", output.name, classes)};
    return {0.4, fmt::format("'{}' has rows of numbers", output.name)};
  }

  [[nodiscard]] Result<std::unique_ptr<Decision>> decide(std::span<const NamedTensor> outputs) const override {
    const auto facts = facts_of(outputs);
    const auto at = scores_among(facts);
    if (!at) return fail(ErrorKind::unsupported, *refuses(facts));
    const Numbers numbers = numbers_of(outputs[*at].value);
    const auto classes = static_cast<std::size_t>(*classes_of(facts[*at]));
    auto decision = std::make_unique<LabelDecision>();
    for (std::size_t first = 0; first + classes <= numbers.size(); first += classes)
      decision->rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                                  numbers.begin() + static_cast<std::ptrdiff_t>(first + classes));
    return decision;
  }

  [[nodiscard]] Result<DecisionChange> change(const Decision& reference, const Decision& variant) const override {
    const auto& a = dynamic_cast<const LabelDecision&>(reference).rows;
    const auto& b = dynamic_cast<const LabelDecision&>(variant).rows;
    if (!are_of_one_size(a, b))
      return fail(ErrorKind::unsupported, "the variant has scores of another size than the reference");
    DecisionChange worst;
    bool is_undecided = false;
    for (std::size_t row = 0; row < a.size(); ++row) {
      const LabelAgreement agreement = agreement_on(a[row], b[row]);
      is_undecided |= agreement.reference < 0 && agreement.variant < 0;
      const bool is_worse = !agreement.is_same_label && (!worst.changed || agreement.margin > worst.margin);
      if (row > 0 && !is_worse) continue;
      const std::string where = a.size() > 1 ? fmt::format("row {}: ", row) : "";
      worst = {!agreement.is_same_label, agreement.margin, where + words_of(agreement.reference, a[row]),
               where + words_of(agreement.variant, b[row])};
    }
    worst.is_undecided = is_undecided;
    return worst;
  }

  /// The row of whose label the reference was surest has the variant's label in the draw, too.
  [[nodiscard]] Result<bool> changes_alike(const Decision& reference, const Decision& variant,
                                           const Decision& draw) const override {
    const auto& a = dynamic_cast<const LabelDecision&>(reference).rows;
    const auto& b = dynamic_cast<const LabelDecision&>(variant).rows;
    const auto& c = dynamic_cast<const LabelDecision&>(draw).rows;
    if (!are_of_one_size(a, b) || !are_of_one_size(a, c)) return false;
    std::optional<std::size_t> surest;
    double margin = 0;
    for (std::size_t row = 0; row < a.size(); ++row) {
      const LabelAgreement agreement = agreement_on(a[row], b[row]);
      if (agreement.is_same_label || (surest && agreement.margin <= margin)) continue;
      surest = row;
      margin = agreement.margin;
    }
    return !surest || agreement_on(b[*surest], c[*surest]).is_same_label;
  }

  [[nodiscard]] Result<std::unique_ptr<Comparator>> comparator(const ComparatorOptions& options) const override {
    return std::make_unique<LabelComparator>(*this, settings_, options.seed);
  }

 private:
  static bool are_of_one_size(const std::vector<Numbers>& a, const std::vector<Numbers>& b) {
    return std::ranges::equal(a, b, {}, &Numbers::size, &Numbers::size);
  }

  [[nodiscard]] LabelAgreement agreement_on(const Numbers& a, const Numbers& b) const {
    LabelAgreement agreement = compare_labels(a, b);
    const bool have_labels = agreement.reference >= 0 && agreement.variant >= 0;
    if (settings_.softmax && have_labels && !agreement.is_same_label && !are_probabilities(a))
      agreement.margin = margin_between(softmax(a), agreement.reference, agreement.variant);
    return agreement;
  }

  [[nodiscard]] std::optional<std::size_t> scores_among(std::span<const OutputFacts> outputs) const {
    std::optional<std::size_t> first;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!classes_of(outputs[i]) || (!settings_.output.empty() && outputs[i].name != settings_.output)) continue;
      if (names_one_of(outputs[i].name, names_of_scores)) return i;
      if (!first) first = i;
    }
    return first;
  }

  [[nodiscard]] std::string words_of(std::int64_t label, const Numbers& scores) const {
    if (label < 0)
      return std::ranges::any_of(scores, [](double x) { return std::isnan(x); }) ? "no label (NaN)"
                                                                                 : "no label (infinities)";
    const auto place = static_cast<std::size_t>(label);
    if (place >= settings_.class_names.size()) return fmt::format("label {}", label);
    return fmt::format("label {} ({})", label, settings_.class_names[place]);
  }

  TaskSettings settings_;
};

}  // namespace

std::unique_ptr<DecisionTask> make_classification_task(const TaskSettings& settings, std::span<const OutputFacts>) {
  return std::make_unique<ClassificationTask>(settings);
}

}  // namespace culprit
