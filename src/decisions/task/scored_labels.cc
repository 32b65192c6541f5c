#include "task/scored_labels.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "task/class_name.h"
#include "task/classification.h"
#include "task/task_comparator.h"

namespace culprit {
namespace {

/// One chance for each class; nothing where these are none.
std::optional<std::vector<double>> chances_of(std::span<const double> row, bool are_logits) {
  if (are_probabilities(row)) return std::vector<double>(row.begin(), row.end());
  if (!are_logits) return std::nullopt;
  return softmax(row);
}

/// The squared distance of one chance of two (sklearn.metrics.brier_score_loss), or the sum over more than two. A
/// class that the outputs have not has the chance 0.
double brier_score(std::span<const double> chances, std::int64_t right) {
  const bool is_known = right < std::ssize(chances);
  if (chances.size() == 2 && is_known) return std::pow(chances[1] - static_cast<double>(right), 2);
  double sum = is_known ? 0 : 1;
  for (std::size_t i = 0; i < chances.size(); ++i)
    sum += std::pow(chances[i] - (static_cast<std::int64_t>(i) == right ? 1 : 0), 2);
  return chances.size() == 2 ? sum / 2 : sum;
}

/// The score of the second of two classes: its chance, or by how much its score stands above the other.
double score_of_second(std::span<const double> row) { return are_probabilities(row) ? row[1] : row[1] - row[0]; }

}  // namespace

Result<void> ScoredLabels::add(std::int64_t sample, const ClassRows& reference, const ClassRows& variant,
                               std::int64_t right) {
  bare_ += variant.labels.size() == 1 ? 1 : 0;
  if (variant.rows.size() != 1 || reference.rows.size() != 1) return {};
  const std::vector<double>& row = variant.rows[0];
  ++rows_;
  classes_ = std::max<std::uint64_t>(classes_, row.size());
  if (keys_.empty() && row.size() <= most_classes) keys_ = variant.keys;
  calibrate(reference.rows[0], row, right);
  return add_curves(sample, row, right);
}

void ScoredLabels::calibrate(std::span<const double> reference, std::span<const double> variant, std::int64_t right) {
  const std::int64_t label = label_of(variant);
  if (label < 0) return;
  const auto own = chances_of(variant, settings_.softmax);
  if (!own) {
    ++logits_;
    return;
  }
  calibration_.add((*own)[static_cast<std::size_t>(label)], label == right);
  const auto first = label_of(reference) < 0 ? std::nullopt : chances_of(reference, settings_.softmax);
  calibration_.add_brier(brier_score(*own, right), first ? std::optional(brier_score(*first, right)) : std::nullopt);
}

Result<void> ScoredLabels::add_curves(std::int64_t sample, std::span<const double> row, std::int64_t right) {
  if (row.size() < 2 || row.size() > most_classes || (row.size() > 2 && !settings_.curves)) return {};
  const auto chances = settings_.softmax ? chances_of(row, true) : std::nullopt;
  const std::span<const double> scores = chances ? std::span<const double>(*chances) : row;
  SampleMatches matches;
  for (std::size_t i = row.size() == 2 ? 1 : 0; i < row.size(); ++i) {
    const auto label = static_cast<std::int64_t>(i);
    BoxMatch match;
    match.score = row.size() == 2 ? score_of_second(scores) : scores[i];
    match.label = label;
    match.matched = label == right ? 1 : 0;
    matches.truths[label] = match.matched;
    matches.boxes.push_back(match);
  }
  return precision_.add(sample, matches);
}

Result<void> ScoredLabels::write(StateWriter& state) const {
  state.add(classes_).add(rows_).add(bare_).add(logits_).add(static_cast<std::uint64_t>(keys_.size()));
  for (const std::string& key : keys_) state.add(std::string_view(key));
  calibration_.write(state);
  return precision_.write(state);
}

Result<void> ScoredLabels::merge(StateReader& state) {
  classes_ = std::max(classes_, state.next<std::uint64_t>());
  for (std::int64_t* count : {&rows_, &bare_, &logits_}) *count += state.count();
  const auto keys = state.next<std::uint64_t>();
  std::vector<std::string> read;
  for (std::uint64_t i = 0; i < keys && state.is_good(); ++i) read.emplace_back(state.text());
  if (keys_.empty()) keys_ = std::move(read);
  calibration_.merge(Calibration::read(state));
  return precision_.merge(state);
}

std::string ScoredLabels::name_of(std::int64_t label) const {
  const auto place = static_cast<std::size_t>(label);
  return place < keys_.size() ? keys_[place] : class_name(label, settings_.class_names);
}

Result<void> ScoredLabels::fill_curves(DecisionRecord& record, std::uint64_t seed) const {
  if (classes_ > most_classes) {
    record.scores.no_curve =
        fmt::format("the outputs have {} classes, and curves are made of {} at most", classes_, most_classes);
    return {};
  }
  if (classes_ > 2 && !settings_.curves) {
    record.scores.no_curve = "of more than two classes they are made with --curves";
    return {};
  }
  auto steps = precision_.by_steps(seed);
  if (!steps) return tl::unexpected(steps.error());
  if (!steps->precision || !steps->area) {
    record.scores.no_curve = "all samples with a label are of one class";
    return {};
  }
  const bool is_one = classes_ == 2;
  auto& metrics = record.variant_against_labels;
  metrics[is_one ? "auc" : "auc_macro"] = record_of(*steps->area);
  metrics[is_one ? "ap" : "ap_macro"] = record_of(*steps->precision);
  record.scores.kind = is_one ? CurveKind::one_class : CurveKind::macro;
  if (is_one) record.scores.curve_of = name_of(1);
  record.scores.curve = std::move(steps->curve);
  if (is_one) return {};
  record.variant_by_class.main = "ap";
  for (const ClassSteps& one : steps->classes) {
    auto& its = record.variant_by_class.classes.emplace_back(ClassMetrics{name_of(one.label), one.there, {}}).metrics;
    its["ap"] = one.precision;
    if (one.area) its["auc"] = *one.area;
  }
  return {};
}

Result<void> ScoredLabels::fill(DecisionRecord& record, std::uint64_t seed) const {
  if (rows_ == 0) {
    if (bare_ > 0)
      record.scores.no_curve = record.scores.no_calibration = "the outputs are labels, and nothing tells their scores";
    return {};
  }
  if (logits_ > 0)
    record.scores.no_calibration = fmt::format(
        "on {} of {} samples the scores are no chances, for they do not add up to 1; --softmax says that they are "
        "logits",
        logits_, rows_);
  else if (calibration_.predictions() > 0)
    record.scores.calibration = calibration_.record(classes_ == 2 ? 1 : 2, seed);
  return fill_curves(record, seed);
}

}  // namespace culprit
