#include "report/diagnosis_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"
#include "report/diagnosis_figures.h"
#include "report/diagnosis_keep.h"
#include "report/diagnosis_stages.h"
#include "report/diagnosis_table.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t bound_outputs_shown = 4;
constexpr std::size_t elements_shown = 3;

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

std::string network_line(const char* side, const NetworkFacts& facts, const ConsoleStyle& style) {
  const std::string about = fmt::format("  {} ({})", counted(facts.layers, "layer"), printable(facts.format, 40));
  const std::string first = std::string("  ") + side + "  ";
  const int room = style.width - display_width(first) - display_width(about);
  return first + painted(cut_path(printable(facts.path), room), Ink::strong, style.colour) + about + "\n";
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

std::string layer_words(const LayerRef& layer) {
  if (layer.number < 0 && layer.name.empty()) return "nothing";
  const std::string name = printable(layer.name, 60), type = printable(layer.type, 40);
  return name.empty() || name == type ? type : type + " '" + name + "'";
}

std::string group_words(const ConversionFault& fault) {
  constexpr std::size_t most_names = 3;
  std::vector<std::string> others;
  for (const LayerRef& layer : fault.group)
    if (!(layer == fault.source)) others.push_back(layer_words(layer));
  if (others.size() > most_names + 1) {
    const std::size_t more = others.size() - most_names;
    others.resize(most_names);
    others.push_back(fmt::format("{} more layers", more));
  }
  return others.empty() ? "" : " (with " + join(others, ", ") + ")";
}

std::string target_words(const TargetRef& target) {
  std::string text = layer_words(target.node);
  if (!target.tensor.empty()) text += ", tensor '" + printable(target.tensor, 60) + "'";
  if (!target.attribute.empty()) text += ", " + printable(target.attribute, 60);
  return text;
}

std::string place_words(const std::vector<std::int64_t>& place) {
  std::vector<std::string> numbers;
  numbers.reserve(place.size());
  for (const std::int64_t one : place) numbers.push_back(std::to_string(one));
  return "[" + join(numbers, ",") + "]";
}

/// At least 4, and as many as it takes until the two do not look the same.
int digits_that_tell(double one, double other) {
  int digits = 4;
  while (digits < 17 && one != other && fmt::format("{:.{}g}", one, digits) == fmt::format("{:.{}g}", other, digits))
    ++digits;
  return digits;
}

std::string elements_words(const FaultEvidence& evidence) {
  std::vector<std::string> parts;
  for (const WrongElement& element : evidence.elements) {
    if (parts.size() == elements_shown) break;
    const auto& place = element.target.empty() ? element.source : element.target;
    const int digits = digits_that_tell(element.wrong, element.right);
    parts.push_back(fmt::format("{} is {:.{}g}, should be {:.{}g}", place_words(place), element.wrong, digits,
                                element.right, digits));
  }
  return join(parts, "; ");
}

std::string proof_line(const ConversionFault& fault) {
  if (!fault.confirmed) return "not confirmed: " + printable(fault.not_confirmed_because);
  std::string line =
      fmt::format("fixed by {}: the error of {} goes from {:.2g} to {:.2g}", printable(fault.repair.edit, 300),
                  fault.repair.of == RepairRecord::Of::outputs ? "the outputs" : "this layer",
                  fault.repair.error_before, fault.repair.error_after);
  if (!fault.is_reached) line += "; none of the samples comes there, random inputs of the layer do";
  return line;
}

std::string fault_part(const ConversionFault& fault, const ConsoleStyle& style) {
  const std::string stage = fault.stage.empty() ? "" : " in " + printable(fault.stage, 60) + ":";
  const std::string head = painted(fault.id, Ink::bad, style.colour) + " " + std::string(name_of(fault.kind)) + stage +
                           "  " + layer_words(fault.source) + group_words(fault) + "  ->  " +
                           target_words(fault.target);
  std::string text = "\n" + hanging("  ", head, style.width);
  text += hanging("     ", printable(fault.evidence.message), style.width);
  if (fault.evidence.elements.size() > 1)  // of one the message tells
    text += hanging("     ", elements_words(fault.evidence), style.width);
  return text + hanging("     ", proof_line(fault), style.width);
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
  if (!figures_of(diagnosis).empty())
    text += "figures: " + cut_path(printable(run_folder + "/" + figures_folder), style.width - 9) + "\n";
  return text + "report: " + cut_path(printable(run_folder + "/report.json"), style.width - 8) + "\n";
}

}  // namespace culprit
