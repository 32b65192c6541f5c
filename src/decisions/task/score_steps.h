#pragma once
// The scores of one class from the largest to the smallest, of all samples and of each draw of groups: precision and
// false alarms at every threshold, and what lies below their curves. Private to this room.

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "record/score_curve.h"
#include "task/average_precision.h"

namespace culprit {

class ScoreSteps {
 public:
  /// `parts`: the weights of groups in each draw, and last of all samples; they outlive this. `truths`: records that
  /// are matched, by group; `records`: all that will come.
  ScoreSteps(const std::vector<GroupWeights>& parts, const GroupWeights& truths, std::int64_t records);
  /// By descending score; equal ones are one step, and so are all that are NaN.
  void add(const MatchRecord& record);
  void finish();

  [[nodiscard]] std::int64_t there() const { return steps_.back().there; }
  /// sklearn.metrics.average_precision_score; nothing where none is there.
  [[nodiscard]] std::optional<double> precision(std::size_t part) const;
  /// sklearn.metrics.roc_auc_score; nothing where all or none are there.
  [[nodiscard]] std::optional<double> area(std::size_t part) const;
  /// The curve of all samples. It is empty unless some are there and some are not.
  [[nodiscard]] const ScoreCurve& curve() const { return curve_; }

 private:
  struct Step {
    std::int64_t there = 0, hits = 0, hits_before = 0, false_alarms = 0, false_before = 0;
    double sum = 0, area = 0;
  };
  /// Some are there, and some are not.
  [[nodiscard]] bool has_curve() const { return there() > 0 && others_ > 0; }
  void end_step();
  void draw(const Step& step);

  const std::vector<GroupWeights>& parts_;
  std::vector<Step> steps_;  ///< of each part
  ScoreCurve curve_;
  std::int64_t others_ = 0;  ///< records that are not there, of all samples
  double score_ = std::numeric_limits<double>::infinity(), before_ = score_;  ///< of this step, and of the last one
};

}  // namespace culprit
