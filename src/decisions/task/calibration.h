#pragma once
// Do the chances that a model gives come true? C. Guo et al., "On calibration of modern neural networks", ICML 2017:
// predictions go into 15 bins of one width by their confidence, and in each bin the mean confidence is held against the
// share that is right. G. Brier, Monthly Weather Review 78, 1950: the squared distance of chances from what is so.

#include <array>
#include <cstdint>
#include <optional>

#include "base/state_bytes.h"
#include "record/score_record.h"
#include "statistics/exact_sum.h"
#include "statistics/sample_values.h"

namespace culprit {

/// The calibration of one model, the variant. It keeps 8 bytes a sample. Samples can be added in any grouping.
class Calibration {
 public:
  static constexpr std::size_t bins = 15;

  /// A bin holds its upper end, and the first one 0, too.
  void add(double confidence, bool is_right);
  /// Adds one sample; without the reference's score where that gives no chances.
  void add_brier(double variant, std::optional<double> reference);
  void merge(const Calibration& later);
  void write(StateWriter& state) const;
  static Calibration read(StateReader& state);

  [[nodiscard]] std::int64_t predictions() const;
  /// `most`: the largest Brier score there is.
  [[nodiscard]] CalibrationRecord record(double most, std::uint64_t seed) const;

 private:
  struct Bin {
    std::int64_t count = 0, right = 0;
    ExactSum confidence;
  };
  std::array<Bin, bins> bins_;
  SampleValues brier_, brier_change_;
};

}  // namespace culprit
