#pragma once
// What scores tell at every threshold, as a fixed number of points.

#include <cstddef>
#include <vector>

namespace culprit {

/// Points at 0, 0.01, ... 1.
inline constexpr std::size_t curve_points = 101;

/// Empty where there is none. Of a mean over classes there are no thresholds.
struct ScoreCurve {
  std::vector<double> hit_rate;  ///< ROC: share of what is there that is found, at that share of false alarms
  std::vector<double> hit_rate_thresholds;   ///< the least score that no larger share of false alarms has
  std::vector<double> precision;             ///< share of what is found that is right, at that recall
  std::vector<double> precision_thresholds;  ///< the score at which that recall is reached
  bool operator==(const ScoreCurve&) const = default;
};

}  // namespace culprit
