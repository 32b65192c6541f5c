#include "report/scores_json.h"

namespace culprit {
namespace {

Json numbers_in(const std::vector<double>& numbers) {
  return array_of(numbers, [](double one) { return number(one); });
}

Json with_interval(const MetricRecord& metric) {
  return {{"value", number(metric.value)}, {"low", number(metric.low)}, {"high", number(metric.high)}};
}

Json bins_of(const CalibrationRecord& calibration) {
  Json bins = Json::array();
  const auto width = 1 / static_cast<double>(calibration.bins.size());
  for (const CalibrationBin& bin : calibration.bins) {
    const auto number_of_bin = static_cast<double>(bins.size());
    bins.push_back({{"above", number(number_of_bin * width)},
                    {"count", bin.count},
                    {"confidence", bin.count == 0 ? Json(nullptr) : number(bin.confidence)},
                    {"right", bin.count == 0 ? Json(nullptr) : number(bin.right)}});
  }
  return bins;
}

}  // namespace

Json curves_of(const ScoreRecord& scores) {
  if (scores.kind == CurveKind::none) return nullptr;
  const ScoreCurve& curve = scores.curve;
  return {{"kind", name_of(scores.kind)},
          {"class", scores.kind == CurveKind::one_class ? Json(scores.curve_of) : Json(nullptr)},
          {"roc", {{"hit_rate", numbers_in(curve.hit_rate)}, {"thresholds", numbers_in(curve.hit_rate_thresholds)}}},
          {"precision_recall",
           {{"precision", numbers_in(curve.precision)}, {"thresholds", numbers_in(curve.precision_thresholds)}}}};
}

Json calibration_of(const ScoreRecord& scores, const ScoreRecord* first) {
  if (!scores.calibration) return nullptr;
  const CalibrationRecord& own = *scores.calibration;
  Json json = {{"predictions", own.predictions},    {"ece", number(own.ece)},   {"mce", number(own.mce)},
               {"brier", with_interval(own.brier)}, {"against_first", nullptr}, {"bins", bins_of(own)}};
  if (first == nullptr || !first->calibration) return json;
  json["against_first"] = {{"ece", number(own.ece - first->calibration->ece)},
                           {"mce", number(own.mce - first->calibration->mce)},
                           {"brier", own.brier_change ? with_interval(*own.brier_change) : Json(nullptr)}};
  return json;
}

}  // namespace culprit
