#include "report/decisions_parts.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t worst_decisions_shown = 3;

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

bool is_about_sureness(const std::string& task) { return task != "picture" && task != "embedding" && task != "tensor"; }

std::string worst_line(const WorstSample& worst, const std::string& task, const std::string& indent,
                       const ConsoleStyle& style) {
  constexpr int name_width = 30;
  constexpr std::size_t most_words = 100;
  return hanging(indent + cut_path(printable(worst.name), name_width) + "  ",
                 fmt::format("{}{} {} (margin {:.3g})", printable(worst.decision.reference, most_words),
                             is_about_sureness(task) ? " became" : ":", printable(worst.decision.variant, most_words),
                             worst.decision.margin),
                 style.width);
}

std::string decisions_part(const std::string& whose, const VariantDecisions& found, const ConsoleStyle& style) {
  std::string text = hanging("  decisions: ", whose + ": " + printable(found.message), style.width);
  const std::size_t shown = found.decisions.changed == 0 ? 0
                            : style.verbose              ? found.worst.size()
                                                         : worst_decisions_shown;
  for (std::size_t i = 0; i < std::min(shown, found.worst.size()); ++i)
    text += worst_line(found.worst[i], found.decisions.task, "    ", style);
  if (!style.verbose) return text;
  for (const auto& [name, metric] : found.decisions.metrics)
    text += fmt::format("    {} {:.6g} ({:.6g} to {:.6g})\n", name, metric.value, metric.low, metric.high);
  return text;
}

std::string decisions_part(const ModelReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const VariantRecord& variant : report.variants)
    if (variant.decisions) text += decisions_part(name_of_recipe(variant), *variant.decisions, style);
  return text;
}

}  // namespace culprit
