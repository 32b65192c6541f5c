#include "task/precision_curves.h"

#include <algorithm>
#include <numeric>

namespace culprit {
namespace {

/// numpy.linspace(0, 1, 101).
double recall_level(std::size_t number) { return number == 100 ? 1 : static_cast<double>(number) * 0.01; }

/// The last level that is at most `recall`.
std::size_t level_of(double recall) {
  auto level = std::min<std::size_t>(100, static_cast<std::size_t>(recall * 100));
  while (level < 100 && recall_level(level + 1) <= recall) ++level;
  while (level > 0 && recall_level(level) > recall) --level;
  return level;
}

}  // namespace

PrecisionCurves::PrecisionCurves(const std::vector<GroupWeights>& parts, const GroupWeights& truths)
    : parts_(parts), curves_(parts.size() * iou_thresholds) {
  for (const GroupWeights& weights : parts)
    truths_.push_back(std::inner_product(weights.begin(), weights.end(), truths.begin(), std::int64_t{0}));
}

void PrecisionCurves::add(const MatchRecord& record) {
  const std::size_t group = record.flags >> 20 & 31;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::int64_t weight = parts_[part][group];
    if (weight == 0 || truths_[part] == 0) continue;
    for (std::size_t t = 0; t < iou_thresholds; ++t) {
      if ((record.flags >> (10 + t) & 1) != 0) continue;
      Curve& curve = curves_[part * iou_thresholds + t];
      curve.found += weight;
      if ((record.flags >> t & 1) == 0) continue;  // recall stays, and precision falls: no point of the best
      curve.hits += weight;
      const double hits = static_cast<double>(curve.hits);
      double& best = curve.best[level_of(hits / static_cast<double>(truths_[part]))];
      best = std::max(best, hits / static_cast<double>(curve.found));
    }
  }
}

double PrecisionCurves::precision(std::size_t part, std::size_t threshold) const {
  const auto& best = curves_[part * iou_thresholds + threshold].best;
  double sum = 0, beyond = 0;
  for (std::size_t level = recalls; level > 0; --level) {
    beyond = std::max(beyond, best[level - 1]);
    sum += beyond;
  }
  return sum / static_cast<double>(recalls);
}

double PrecisionCurves::recall(std::size_t part, std::size_t threshold) const {
  const double hits = static_cast<double>(curves_[part * iou_thresholds + threshold].hits);
  return hits / static_cast<double>(truths_[part]);
}

}  // namespace culprit
