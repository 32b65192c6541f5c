#include "report/diagnosis_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"
#include "report/diagnosis_fault.h"
#include "report/diagnosis_figures.h"
#include "report/diagnosis_keep.h"
#include "report/diagnosis_stages.h"
#include "report/diagnosis_table.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t bound_outputs_shown = 4;

struct DiagnosisOutcome {
  std::string words;
  Ink ink;
};

std::string faulty_words(const Diagnosis& diagnosis) {
  const auto faults = static_cast<std::int64_t>(diagnosis.faults.size());
  if (faults == 0) return "FAULTY: no fault could be named";
  const auto stops = [](const ConversionFault& fault) {
    return fault.evidence.kind == "does_not_load" || fault.evidence.kind == "does_not_run";
  };
  if (std::ranges::any_of(diagnosis.faults, stops)) return "FAULTY: " + printable(diagnosis.message);
  const auto confirmed = std::ranges::count_if(diagnosis.faults, &ConversionFault::confirmed);
  std::string words = "FAULTY: " + counted(faults, "fault");
  if (confirmed < faults) return words + fmt::format(", {} of {} confirmed", confirmed, faults);
  return words + (faults == 1 ? ", confirmed" : faults == 2 ? ", both confirmed" : ", all confirmed");
}

DiagnosisOutcome outcome_of(const Diagnosis& diagnosis) {
  switch (diagnosis.status) {
    case DiagnosisStatus::same:
      return {"the same", Ink::good};
    case DiagnosisStatus::faulty:
      return {faulty_words(diagnosis), Ink::bad};
    case DiagnosisStatus::not_judged:
      return {"not judged: the target is rounded on purpose", Ink::doubtful};
    case DiagnosisStatus::weak_data:
      return {"cannot judge: the data are too weak", Ink::doubtful};
    case DiagnosisStatus::nothing_in_common:
      return {"cannot judge: nothing in common", Ink::doubtful};
    case DiagnosisStatus::cannot_judge:
      return {"cannot judge", Ink::doubtful};
  }
  return {"?", Ink::plain};
}

std::string head_part(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  const DiagnosisOutcome outcome = outcome_of(diagnosis);
  std::string words = hanging("", outcome.words, style.width);
  words.pop_back();  // its last newline
  std::string text = painted(words, outcome.ink, style.colour) + "\n" + network_line("source", diagnosis.source, style);
  for (const StageRecord& stage : diagnosis.stages)
    if (&stage != &diagnosis.stages.back()) text += network_line("stage ", stage.file, style);
  text += network_line("target", diagnosis.target, style);
  const bool is_told_by_faults = diagnosis.status == DiagnosisStatus::faulty && !diagnosis.faults.empty();
  if (!diagnosis.message.empty() && !is_told_by_faults)
    text += hanging("  ", printable(diagnosis.message), style.width);
  return text;
}

std::string named_pair(const BoundOutput& value) {
  std::string text = printable(value.source, 60);
  if (value.source != value.target) text += " = " + printable(value.target, 60);
  return value.order.empty() ? text : text + " (" + printable(value.order, 60) + ")";
}

std::string output_words(const BoundOutput& value) {
  const Measurement& m = value.measurement;
  const std::string text = named_pair(value);
  if (!m.note.empty() && m.max_abs == 0) return text + ": " + printable(m.note);
  if (m.mismatched == 0) return text + ": not a bit differs";
  return text + fmt::format(": max abs error {:.2g}, expected rounding error {:.2g}", m.max_abs, m.floor);
}

std::string data_lines(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  if (diagnosis.data.samples == 0) return "";
  std::string text = hanging("  ", data_text(diagnosis.data) + "; " + human_seconds(diagnosis.seconds), style.width);
  for (const Warning& warning : diagnosis.warnings)
    text += hanging("  warning: ", printable(warning.code + ": " + warning.message), style.width);
  for (const BoundOutput& input : diagnosis.inputs)
    if (input.source != input.target || !input.order.empty())
      text += hanging("  input ", named_pair(input), style.width);
  const std::size_t outputs = diagnosis.outputs.size();
  const std::size_t shown = style.verbose ? outputs : std::min(outputs, bound_outputs_shown);
  for (std::size_t i = 0; i < shown; ++i) text += hanging("  output ", output_words(diagnosis.outputs[i]), style.width);
  if (shown < outputs) text += fmt::format("  and {} more outputs\n", outputs - shown);
  return text;
}

std::string map_line(const Diagnosis& diagnosis, const ConsoleStyle& style) {
  const MapCounts& counts = diagnosis.map.counts;
  if (counts.layers == 0) return "";
  const std::int64_t found = counts.found + counts.by_consumer;
  std::string line =
      counts.with_parameters == 0
          ? fmt::format("{} of {} found; no layer has parameters", counts.values_found, counted(counts.values, "value"))
          : fmt::format("{} of {} with parameters found", found, counted(counts.with_parameters, "layer"));
  if (counts.by_consumer > 0) line += fmt::format(" ({} only by what follows)", counts.by_consumer);
  return hanging("  map: ", line, style.width);
}

}  // namespace

std::string to_console(const Diagnosis& diagnosis, const ConsoleStyle& style, const std::string& run_folder) {
  std::string text = head_part(diagnosis, style) + data_lines(diagnosis, style) + map_line(diagnosis, style);
  if (diagnosis.decisions) text += decisions_part("source and target", *diagnosis.decisions, style);
  text += stages_part(diagnosis, style);
  text += keep_part(diagnosis, style);
  for (const ConversionFault& fault : diagnosis.faults) text += fault_part(fault, style);
  const std::string layers = layers_table(diagnosis, style);
  text += (layers.empty() ? "" : whose_layers(diagnosis, style) + layers) + "\n";
  const auto shown = std::ranges::find_if(diagnosis.faults, [](const auto& fault) { return !fault.repro.empty(); });
  if (shown != diagnosis.faults.end()) text += show_alone_line(shown->id, shown->repro, run_folder, style);
  if (!figures_of(diagnosis).empty()) text += "figures: " + printable(run_folder + "/" + figures_folder) + "\n";
  return text + "report: " + printable(run_folder + "/report.json") + "\n";
}

}  // namespace culprit
