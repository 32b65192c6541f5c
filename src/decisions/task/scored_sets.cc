#include "task/scored_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "task/task_comparator.h"

namespace culprit {
namespace {

bool are_chances_each(std::span<const double> row) {
  return !row.empty() && std::ranges::all_of(row, [](double chance) { return chance >= 0 && chance <= 1; });
}

/// The mean over the classes.
std::optional<double> brier_of_set(std::span<const double> row, std::span<const std::int64_t> right) {
  if (!are_chances_each(row)) return std::nullopt;
  double sum = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_right = std::ranges::binary_search(right, static_cast<std::int64_t>(i));
    sum += std::pow(row[i] - (is_right ? 1 : 0), 2);
  }
  return sum / static_cast<double>(row.size());
}

}  // namespace

Result<void> ScoredSets::add(std::int64_t sample, std::span<const double> reference, std::span<const double> variant,
                             std::span<const std::int64_t> right) {
  ++rows_;
  const auto brier = brier_of_set(variant, right);
  const bool is_decided = std::ranges::none_of(variant, [](double x) { return std::isnan(x); });
  if (brier) calibration_.add_brier(*brier, brier_of_set(reference, right));
  if (!brier && is_decided) ++logits_;
  SampleMatches matches;
  matches.boxes.reserve(variant.size());
  for (std::size_t i = 0; i < variant.size(); ++i) {
    const bool is_right = std::ranges::binary_search(right, static_cast<std::int64_t>(i));
    if (brier) calibration_.add(variant[i], is_right);
    BoxMatch match;
    match.score = variant[i];
    match.matched = is_right ? 1 : 0;
    matches.truths[0] += match.matched;
    matches.boxes.push_back(match);
  }
  return together_.add(sample, matches);
}

Result<void> ScoredSets::write(StateWriter& state) const {
  state.add(rows_).add(logits_);
  calibration_.write(state);
  return together_.write(state);
}

Result<void> ScoredSets::merge(StateReader& state) {
  rows_ += state.count();
  logits_ += state.count();
  calibration_.merge(Calibration::read(state));
  return together_.merge(state);
}

Result<void> ScoredSets::fill(DecisionRecord& record, const StepsResult& by_class, std::uint64_t seed) const {
  if (logits_ > 0)
    record.scores.no_calibration =
        fmt::format("on {} of {} samples there are numbers below 0 or above 1, which are no chances", logits_, rows_);
  else if (calibration_.predictions() > 0)
    record.scores.calibration = calibration_.record(1, seed);
  auto steps = together_.by_steps(seed);
  if (!steps) return tl::unexpected(steps.error());
  if (!steps->precision || !steps->area) {
    record.scores.no_curve = "of the samples with labels all classes are right, or none";
    return {};
  }
  auto& metrics = record.variant_against_labels;
  metrics["ap_micro"] = record_of(*steps->precision);
  metrics["auc_micro"] = record_of(*steps->area);
  if (by_class.area) metrics["auc_macro"] = record_of(*by_class.area);
  record.scores.kind = CurveKind::micro;
  record.scores.curve = std::move(steps->curve);
  return {};
}

}  // namespace culprit
