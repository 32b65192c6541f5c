#include "report/repair_console.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"
#include "report/diagnosis_fault.h"
#include "report/layout.h"
#include "report/repair_figures.h"

namespace culprit {
namespace {

struct RepairOutcome {
  std::string words;
  Ink ink;
};

std::int64_t faults_mended(const TargetRepair& repair) {
  std::int64_t faults = 0;
  for (const RepairRound& round : repair.rounds) faults += round.is_made ? std::ssize(round.faults) : 0;
  return faults;
}

RepairOutcome outcome_of(const TargetRepair& repair) {
  switch (repair.status) {
    case RepairStatus::clean:
      return {"nothing to mend: the file is a copy of the target", Ink::good};
    case RepairStatus::mended:
      return {"MENDED: " + counted(faults_mended(repair), "fault"), Ink::good};
    case RepairStatus::fed_right:
      return {"nothing to mend: the target only wants to be fed otherwise", Ink::good};
    case RepairStatus::not_mended:
      return {"NOT MENDED: the target is as it was", Ink::bad};
    case RepairStatus::cannot_judge:
      return {"cannot judge", Ink::doubtful};
  }
  return {"?", Ink::plain};
}

std::string error_lines(const TargetRepair& repair, const ConsoleStyle& style) {
  std::string text;
  if (!repair.after) return text;
  for (const BoundOutput& now : repair.after->outputs) {
    const auto was = std::ranges::find(repair.before.outputs, now.source, &BoundOutput::source);
    const bool is_known = was != repair.before.outputs.end() && was->measurement.elements > 0;
    const std::string before = is_known ? fmt::format("{:.2g}", was->measurement.max_abs) : "not compared";
    text += hanging("  output ",
                    fmt::format("{}: max abs error {} before, {:.2g} after; expected rounding error {:.2g}",
                                printable(now.source, 60), before, now.measurement.max_abs, now.measurement.floor),
                    style.width);
  }
  return text;
}

std::string round_part(const TargetRepair& repair, std::size_t number, const ConsoleStyle& style) {
  const RepairRound& round = repair.rounds[number];
  std::string text;
  if (repair.rounds.size() > 1) text += "\n" + hanging("  ", fmt::format("round {}", number + 1), style.width);
  for (const ConversionFault& fault : round.faults) text += fault_part(fault, style);
  if (!round.why_not.empty()) text += hanging("  ", "not made: " + printable(round.why_not), style.width);
  return text;
}

/// Faults that were seen, and that no round mended.
std::string left_part(const TargetRepair& repair, const ConsoleStyle& style) {
  const Diagnosis& last = repair.after ? *repair.after : repair.before;
  if (repair.status != RepairStatus::not_mended && repair.status != RepairStatus::fed_right) return "";
  std::string text;
  for (const ConversionFault& fault : last.faults)
    if (repair.after || !fault.confirmed || repair.rounds.empty()) text += fault_part(fault, style);
  return text.empty() ? "" : "\n  left as it is:\n" + text;
}

std::string checks_part(const TargetRepair& repair, const ConsoleStyle& style) {
  std::string text;
  for (const RepairCheck& check : repair.checks) {
    const bool is_right = check.status == DiagnosisStatus::same;
    const std::string how = is_right ? "right" : "not right: " + printable(check.message);
    text += hanging("  ",
                    fmt::format("verified on {} at the runtime's level {}: {}, largest error {:.2g}",
                                counted(check.samples, "sample"), check.level, how, check.error),
                    style.width);
  }
  return text;
}

}  // namespace

std::string to_console(const TargetRepair& repair, const ConsoleStyle& style, const std::string& run_folder) {
  const RepairOutcome outcome = outcome_of(repair);
  std::string text = painted(outcome.words, outcome.ink, style.colour) + "\n";
  text += network_line("source", repair.before.source, style) + network_line("target", repair.before.target, style);
  for (const Warning& warning : repair.before.warnings)
    text += hanging("  warning: ", printable(warning.code + ": " + warning.message), style.width);
  for (const BoundOutput& output : repair.before.outputs)
    if (!output.order.empty())
      text += hanging(
          "  output ",
          fmt::format("{} lies otherwise in the target: {}", printable(output.source, 60), printable(output.order, 60)),
          style.width);
  text += error_lines(repair, style);
  if (repair.after && repair.after->decisions)
    text += decisions_part("source and mended target", *repair.after->decisions, style);
  for (std::size_t i = 0; i < repair.rounds.size(); ++i) text += round_part(repair, i, style);
  text += left_part(repair, style) + "\n";
  if (!repair.out.empty()) text += hanging("", printable(repair.out) + " was written", style.width);
  text += checks_part(repair, style);
  if (!repair.feeding.empty()) text += hanging("", printable(repair.feeding) + " says how to feed it", style.width);
  if (!figures_of(repair).empty()) text += "figures: " + printable(run_folder + "/" + figures_folder) + "\n";
  return text + "report: " + printable(run_folder + "/report.json") + "\n";
}

}  // namespace culprit
