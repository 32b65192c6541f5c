#include "task/score_steps.h"

#include <cmath>
#include <numeric>

namespace culprit {
namespace {

constexpr auto last_point = static_cast<std::int64_t>(curve_points) - 1;

bool is_one_step(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

ScoreSteps::ScoreSteps(const std::vector<GroupWeights>& parts, const GroupWeights& truths, std::int64_t records)
    : parts_(parts), steps_(parts.size()) {
  for (std::size_t part = 0; part < parts.size(); ++part)
    steps_[part].there = std::inner_product(parts[part].begin(), parts[part].end(), truths.begin(), std::int64_t{0});
  others_ = records - there();
}

void ScoreSteps::add(const MatchRecord& record) {
  if (!is_one_step(record.score, score_)) end_step();
  score_ = record.score;
  const bool is_hit = (record.flags & 1) != 0;
  for (std::size_t part = 0; part < parts_.size(); ++part) {
    const std::int64_t weight = parts_[part][record.flags >> 20 & 31];
    (is_hit ? steps_[part].hits : steps_[part].false_alarms) += weight;
  }
}

void ScoreSteps::end_step() {
  draw(steps_.back());
  before_ = score_;
  for (Step& step : steps_) {
    const auto gained = static_cast<double>(step.hits - step.hits_before);
    const auto found = static_cast<double>(step.hits + step.false_alarms);
    if (gained > 0) step.sum += gained * static_cast<double>(step.hits) / found;
    step.area += static_cast<double>(step.false_alarms - step.false_before) *
                 static_cast<double>(step.hits + step.hits_before) / 2;
    step.hits_before = step.hits;
    step.false_before = step.false_alarms;
  }
}

/// Points that lie in this step. Where false alarms stay as many, the curve of hits goes straight up, and its point is
/// the upper end: so a point waits for the first step beyond it.
void ScoreSteps::draw(const Step& step) {
  if (!has_curve() || step.hits + step.false_alarms == 0) return;
  const auto there = static_cast<double>(step.there);
  const auto next = [](const std::vector<double>& points) { return static_cast<std::int64_t>(points.size()); };
  while (next(curve_.hit_rate) <= last_point && next(curve_.hit_rate) * others_ < step.false_alarms * last_point) {
    const auto at = static_cast<double>(next(curve_.hit_rate) * others_) / static_cast<double>(last_point);
    const double way =
        (at - static_cast<double>(step.false_before)) / static_cast<double>(step.false_alarms - step.false_before);
    const double hits = static_cast<double>(step.hits_before) + way * static_cast<double>(step.hits - step.hits_before);
    curve_.hit_rate.push_back(hits / there);
    curve_.hit_rate_thresholds.push_back(before_);
  }
  while (next(curve_.precision) <= last_point && next(curve_.precision) * step.there <= step.hits * last_point) {
    curve_.precision.push_back(static_cast<double>(step.hits) / static_cast<double>(step.hits + step.false_alarms));
    curve_.precision_thresholds.push_back(score_);
  }
}

void ScoreSteps::finish() {
  end_step();
  if (!has_curve()) return;
  curve_.hit_rate.resize(curve_points, 1);
  curve_.hit_rate_thresholds.resize(curve_points, score_);
  // A recall that is never reached: what is there has no record.
  curve_.precision.resize(curve_points, 0);
  curve_.precision_thresholds.resize(curve_points, score_);
}

std::optional<double> ScoreSteps::precision(std::size_t part) const {
  const Step& step = steps_[part];
  return step.there > 0 ? std::optional(step.sum / static_cast<double>(step.there)) : std::nullopt;
}

std::optional<double> ScoreSteps::area(std::size_t part) const {
  const Step& step = steps_[part];
  if (step.hits == 0 || step.false_alarms == 0) return std::nullopt;
  return step.area / (static_cast<double>(step.hits) * static_cast<double>(step.false_alarms));
}

}  // namespace culprit
