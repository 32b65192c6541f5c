#pragma once
// What the scores of a classifier tell beside its labels: its curves, each class against the rest, and whether its
// chances come true. Of the variant.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "record/decisions.h"
#include "task/average_precision.h"
#include "task/calibration.h"
#include "task/label_scores.h"
#include "task/task_settings.h"

namespace culprit {

/// 8 bytes of a sample stay; 16 of each of its classes go to the spill, of two classes of one.
class ScoredLabels {
 public:
  /// Curves are made of so many classes at most, and of more than two only where the settings ask for them.
  static constexpr std::size_t most_classes = 100;

  ScoredLabels(const TaskSettings& settings, std::unique_ptr<Spill> spill)
      : settings_(settings), precision_(std::move(spill)) {}

  /// `right` is the class that is, from 0 on; the outputs may have none such. What has several rows is not looked at.
  Result<void> add(std::int64_t sample, const ClassRows& reference, const ClassRows& variant, std::int64_t right);
  Result<void> write(StateWriter& state) const;
  Result<void> merge(StateReader& state);
  /// Metrics and classes of the variant against labels, and its scores. Nothing where nothing was added.
  Result<void> fill(DecisionRecord& record, std::uint64_t seed) const;

 private:
  Result<void> add_curves(std::int64_t sample, std::span<const double> row, std::int64_t right);
  void calibrate(std::span<const double> reference, std::span<const double> variant, std::int64_t right);
  Result<void> fill_curves(DecisionRecord& record, std::uint64_t seed) const;
  [[nodiscard]] std::string name_of(std::int64_t label) const;

  const TaskSettings& settings_;
  AveragePrecision precision_;
  Calibration calibration_;
  std::vector<std::string> keys_;                  ///< of a map
  std::uint64_t classes_ = 0;                      ///< the most of a row
  std::int64_t rows_ = 0, bare_ = 0, logits_ = 0;  ///< labels without scores, rows that are no chances
};

}  // namespace culprit
