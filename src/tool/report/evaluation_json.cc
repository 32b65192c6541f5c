#include "report/evaluation_json.h"

#include "record/report_schema.h"
#include "report/decisions_json.h"
#include "report/json_parts.h"
#include "report/scores_json.h"

namespace culprit {
namespace {

Json json_of(const std::vector<LeftOutSample>& samples) {
  return array_of(samples, [](const LeftOutSample& sample) {
    return Json{{"number", sample.number}, {"sample", sample.name}, {"reason", sample.reason}};
  });
}

Json json_of(const std::optional<SureEnough>& sure) {
  if (!sure) return nullptr;
  return {{"share", number(sure->share)},
          {"delta", number(sure->delta)},
          {"answer", name_of(sure->answer)},
          {"samples", sure->samples}};
}

/// A share of 1; null where there is nothing to take a share of.
Json share_of(std::int64_t part, std::int64_t all) {
  return all == 0 ? Json(nullptr) : number(static_cast<double>(part) / static_cast<double>(all));
}

Json json_of(const ClassCounts& counts) {
  return {{"class", counts.name},
          {"decided", counts.decided},
          {"labelled", counts.labelled},
          {"right", counts.right},
          {"precision", share_of(counts.right, counts.decided)},
          {"recall", share_of(counts.right, counts.labelled)},
          {"f1", counts.labelled == 0 ? Json(nullptr) : share_of(2 * counts.right, counts.decided + counts.labelled)}};
}

Json json_of(const MetricsByClass& by_class) {
  return array_of(by_class.classes, [](const ClassMetrics& one) {
    Json metrics = Json::object();
    for (const auto& [name, value] : one.metrics) metrics[name] = number(value);
    return Json{{"class", one.name}, {"there", one.there}, {"metrics", std::move(metrics)}};
  });
}

/// The most frequent ones. `key`: what their truth is called.
Json confused_of(const ClassResults& results, const char* key) {
  constexpr std::size_t most_listed = 1000;
  Json listed = Json::array();
  for (const ConfusedClasses& pair : results.confused()) {
    if (listed.size() == most_listed) break;
    listed.push_back({{key, pair.truth},
                      {"decided", pair.decided.empty() ? Json(nullptr) : Json(pair.decided)},
                      {"samples", pair.samples}});
  }
  return listed;
}

Json classes_of(const ClassResults& results) {
  Json listed = Json::array();
  for (const ClassCounts& counts : results.classes()) listed.push_back(json_of(counts));
  return listed;
}

Json json_of(const LabelChanges& changes) {
  return {{"gained", changes.gained}, {"lost", changes.lost}, {"both_wrong", changes.both_wrong}};
}

Json json_of(const EvaluatedModel& model, const EvaluationReport& report, bool is_first) {
  const DecisionRecord& decisions = model.decisions;
  const bool is_compared = !is_first && decisions.samples > 0;
  return {
      {"path", model.model.path},
      {"model", json_of(model.model)},
      {"task", report.task},
      {"samples", decisions.samples},
      {"labelled", decisions.labelled},
      {"unfit", model.unfit.empty() ? Json(nullptr) : Json(model.unfit)},
      {"labels_outside", decisions.labels_outside},
      {"failures", model.failures},
      {"failed", json_of(model.failed)},
      {"against_labels", decisions.labelled > 0 ? metrics_of(decisions.variant_against_labels) : Json(nullptr)},
      {"against_first", is_compared ? metrics_of(decisions.metrics) : Json(nullptr)},
      {"changed", is_compared && decisions.traits.counts_decisions ? Json(decisions.changed) : Json(nullptr)},
      {"label_changes", is_compared && decisions.labelled > 0 ? json_of(decisions.label_changes) : Json(nullptr)},
      {"undecided", is_first ? Json(nullptr) : Json(decisions.undecided)},
      {"empty", is_first ? Json(nullptr) : Json(decisions.empty)},
      {"worst", array_of(is_first ? std::vector<WorstSample>() : model.worst, worst_sample_of)},
      {"sure", json_of(model.sure)},
      {"classes", classes_of(model.classes)},
      {"confused", confused_of(model.classes, "truth")},
      {"became", confused_of(model.became, "first")},
      {"by_class",
       {{"against_labels", json_of(decisions.variant_by_class)},
        {"against_first", is_compared ? json_of(decisions.by_class) : Json::array()}}},
      {"curves", curves_of(decisions.scores)},
      {"no_curves", or_null(decisions.scores.no_curve)},
      {"calibration", calibration_of(decisions.scores, is_first ? nullptr : &report.models.front().decisions.scores)},
      {"no_calibration", or_null(decisions.scores.no_calibration)},
      {"seconds_run", number(model.seconds)}};
}

}  // namespace

std::string to_json(const EvaluationReport& report) {
  Json models = Json::array();
  for (const EvaluatedModel& model : report.models) models.push_back(json_of(model, report, models.empty()));
  const Json root = {{"schema", eval_schema},
                     {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
                     {"command", report.command},
                     {"onnxruntime", report.onnxruntime},
                     {"task",
                      {{"name", report.task},
                       {"reason", report.task_reason},
                       {"is_sure", report.is_task_sure},
                       {"about", report.task_about}}},
                     {"data",
                      {{"about", report.data},
                       {"has_labels", report.has_labels},
                       {"samples", report.samples},
                       {"unreadable", report.unreadable},
                       {"not_reached", report.not_reached},
                       {"skipped", json_of(report.skipped)}}},
                     {"models", std::move(models)},
                     {"interrupted", report.is_interrupted},
                     {"warnings", warnings_of(report.warnings)},
                     {"seconds", number(report.seconds)},
                     {"peak_bytes", report.peak_bytes}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
