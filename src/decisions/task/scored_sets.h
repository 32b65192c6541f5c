#pragma once
// What chances of several classes tell beside the sets that are chosen: the curves of all classes together, and whether
// chances come true. Of the variant.

#include <cstdint>
#include <memory>
#include <span>

#include "record/decisions.h"
#include "task/average_precision.h"
#include "task/calibration.h"

namespace culprit {

/// 8 bytes of a sample stay; 16 of each of its classes go to the spill.
class ScoredSets {
 public:
  explicit ScoredSets(std::unique_ptr<Spill> spill) : together_(std::move(spill)) {}

  /// `right`: the classes that are, ascending.
  Result<void> add(std::int64_t sample, std::span<const double> reference, std::span<const double> variant,
                   std::span<const std::int64_t> right);
  Result<void> write(StateWriter& state) const;
  Result<void> merge(StateReader& state);
  /// `by_class`: the steps of each class, of the same scores.
  Result<void> fill(DecisionRecord& record, const StepsResult& by_class, std::uint64_t seed) const;

 private:
  AveragePrecision together_;  ///< all as one class
  Calibration calibration_;
  std::int64_t rows_ = 0, logits_ = 0;  ///< rows with numbers that are no chances
};

}  // namespace culprit
