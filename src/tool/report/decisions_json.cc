#include "report/decisions_json.h"

namespace culprit {
namespace {

Json metric_of(const MetricRecord& metric) {
  return {{"value", number(metric.value)}, {"low", number(metric.low)}, {"high", number(metric.high)}};
}

Json labels_of(const DecisionRecord& decisions) {
  if (decisions.labelled == 0) return nullptr;
  return {{"labelled", decisions.labelled},
          {"reference", metrics_of(decisions.reference_against_labels)},
          {"variant", metrics_of(decisions.variant_against_labels)}};
}

}  // namespace

Json metrics_of(const std::map<std::string, MetricRecord>& metrics) {
  Json object = Json::object();
  for (const auto& [name, metric] : metrics) object[name] = metric_of(metric);
  return object;
}

Json worst_sample_of(const WorstSample& worst) {
  return {{"number", worst.decision.sample},
          {"sample", worst.name},
          {"reference", worst.decision.reference},
          {"variant", worst.decision.variant},
          {"margin", number(worst.decision.margin)}};
}

Json decisions_of(const std::optional<VariantDecisions>& decisions) {
  if (!decisions) return nullptr;
  const DecisionRecord& record = decisions->decisions;
  return {{"level", decisions->level},
          {"task", record.task},
          {"samples", record.samples},
          {"changed", record.changed},
          {"ties", record.ties},
          {"changed_by_draw", decisions->by_draw},
          {"more_than_rounding", decisions->is_more_than_rounding},
          {"failures", decisions->failures},
          {"undecided", record.undecided},
          {"empty", record.empty},
          {"not_reached", decisions->not_reached},
          {"metrics", metrics_of(record.metrics)},
          {"against_labels", labels_of(record)},
          {"worst", array_of(decisions->worst, worst_sample_of)},
          {"message", decisions->message}};
}

}  // namespace culprit
