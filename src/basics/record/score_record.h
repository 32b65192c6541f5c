#pragma once
// What the scores of one model tell beside its decisions, held against labels: curves over all thresholds, and whether
// chances come true.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/metric.h"
#include "record/score_curve.h"

namespace culprit {

/// What a curve is of.
enum class CurveKind : std::uint8_t {
  none,
  one_class,  ///< one of two classes
  macro,      ///< each class against the rest: the mean of their curves
  micro,      ///< all classes together, each with a chance of its own
};
std::string_view name_of(CurveKind kind);

struct CalibrationBin {
  std::int64_t count = 0;  ///< predictions in it
  double confidence = 0;   ///< their mean; 0 where there are none
  double right = 0;        ///< share of them that came true
  bool operator==(const CalibrationBin&) const = default;
};

/// C. Guo et al., "On calibration of modern neural networks", ICML 2017.
struct CalibrationRecord {
  std::int64_t predictions = 0;
  double ece = 0, mce = 0;  ///< mean and largest distance of a bin's confidence from what came true
  MetricRecord brier;
  std::optional<MetricRecord> brier_change;  ///< by how much that is more than the reference's, sample by sample
  std::vector<CalibrationBin> bins;          ///< of one width, from 0 to 1; each holds its upper end
  bool operator==(const CalibrationRecord&) const = default;
};

struct ScoreRecord {
  CurveKind kind = CurveKind::none;
  std::string curve_of = {};  ///< the class, of one_class
  ScoreCurve curve = {};
  std::string no_curve = {};  ///< why there is none, for people; "" also where nobody asked, or there are no labels
  std::optional<CalibrationRecord> calibration = {};
  std::string no_calibration = {};  ///< likewise
  bool operator==(const ScoreRecord&) const = default;
};

}  // namespace culprit
