#include "report/compare_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.h"
#include "report/compare_table.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"
#include "report/layout.h"

namespace culprit {
namespace {

constexpr std::size_t worst_values_shown = 5;
constexpr std::size_t names_shown = 6;
constexpr std::size_t outputs_shown = 8;

struct ComparisonOutcome {
  const char* word;
  Ink ink;
};

ComparisonOutcome outcome_of(const CompareReport& report) {
  switch (report.status) {
    case CompareStatus::same:
      return {report.verdict == Verdict::deviates ? "the same within the tolerance" : "the same", Ink::good};
    case CompareStatus::part:
      return {"MISMATCH", Ink::bad};
    case CompareStatus::not_reached:
      return {"the same as far as the samples reach", Ink::doubtful};
    case CompareStatus::weak_data:
      return {"cannot judge: the data are too weak", Ink::doubtful};
    case CompareStatus::nothing_in_common:
      return {"cannot judge: nothing in common", Ink::doubtful};
    case CompareStatus::cannot_judge:
      return {"cannot judge", Ink::doubtful};
  }
  return {"?", Ink::plain};
}

std::string outcome_part(const CompareReport& report, const ConsoleStyle& style) {
  const ComparisonOutcome outcome = outcome_of(report);
  const auto model = [&](const char* side, const ModelFacts& facts) {
    const std::string about = fmt::format("  {}", counted(facts.nodes, "node"));
    return std::string(side) +
           painted(cut_path(printable(facts.path), style.width - 5 - display_width(about)), Ink::strong, style.colour) +
           about + "\n";
  };
  return painted(outcome.word, outcome.ink, style.colour) + "\n" + model("  A  ", report.a) + model("  B  ", report.b);
}

std::string data_part(const CompareReport& report, const ConsoleStyle& style) {
  if (report.data.samples == 0) return "";
  std::string line = data_text(report.data);
  if (!report.reference_level.empty()) line += ", level " + report.reference_level;  // "": it was not run
  line += "; " + human_seconds(report.seconds);
  std::string text = hanging("  ", line, style.width);
  // What is made up is told where it is asked for; of the user's own data, how they are read decides what is measured.
  if (report.data.source == DataSource::synthesized && !style.verbose) return text;
  for (const std::string& choice : report.data.choices) text += hanging("  data  ", printable(choice), style.width);
  return text;
}

std::string names_part(const char* label, std::vector<std::string> names, const ConsoleStyle& style) {
  if (names.empty()) return "";
  if (names.size() > names_shown && !style.verbose) {
    const std::size_t more = names.size() - names_shown;
    names.resize(names_shown);
    names.push_back(fmt::format("{} more", more));
  }
  return hanging(label, printable(join(names, ", ")), style.width);
}

/// And which inputs and outputs stand for others of another name, and which for none.
std::string warnings_part(const CompareReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const Warning& warning : report.warnings)
    text += hanging("  warning: ", printable(warning.code + ": " + warning.message), style.width);
  std::vector<std::string> bound;
  for (const auto* pairs : {&report.inputs, &report.outputs}) {
    for (const auto& [one, other] : *pairs) {
      if (one != other) bound.push_back(fmt::format("{} = {}", printable(one, 60), printable(other, 60)));
    }
  }
  text += names_part("  bound: ", std::move(bound), style);
  return text + names_part("  not compared: ", report.unbound, style);
}

/// There is no distance that says more.
bool note_says_all(const Measurement& m) { return !m.note.empty() && !has_distance(m); }

/// After what it is of: ", off by ...", or what stands in for a distance.
std::string distance_of(const Measurement& m) {
  if (note_says_all(m)) return ": " + printable(m.note);
  if (m.mismatched == 0) return ", not a bit differs";
  if (m.max_abs == 0) return fmt::format(", {} of {} elements differ", m.mismatched, m.elements);
  return fmt::format(", max abs error {:.2g}, expected rounding error {:.2g}", m.max_abs, m.floor);
}

std::string output_line(const std::string& output, const Measurement& m) {
  std::string text = fmt::format("{} {}", printable(output, 100), reader_word(verdict_of_words(m))) + distance_of(m);
  if (note_says_all(m) || m.max_abs == 0) return text;
  if (m.beyond_tolerance > 0)
    text += fmt::format("; {} of {} elements beyond tolerance", m.beyond_tolerance, m.elements);
  if (m.nonfinite_mismatch > 0) text += fmt::format("; {} NaN or infinity", m.nonfinite_mismatch);
  return text;
}

/// What B's nodes make of A's values, where that has the last word.
std::string remade_line(const std::string& output, const Measurement& m) {
  std::string text = fmt::format("{} given A's values: {}", printable(output, 100), reader_word(verdict_of_words(m)));
  return text + distance_of(m);
}

/// The worst first; of many only a few, but with --verbose all.
std::string outputs_part(const CompareReport& report, const ConsoleStyle& style) {
  std::vector<std::pair<std::string, const Measurement*>> outputs;
  for (const auto& [output, m] : report.measurements) outputs.emplace_back(output, &m);
  std::ranges::stable_sort(outputs, [](const auto& one, const auto& other) {
    return verdict_of_words(*one.second) > verdict_of_words(*other.second);
  });
  const std::size_t shown = style.verbose ? outputs.size() : std::min(outputs.size(), outputs_shown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i)
    text += hanging("  output ", output_line(outputs[i].first, *outputs[i].second), style.width);
  for (const auto& [output, m] : report.remade) text += hanging("  output ", remade_line(output, m), style.width);
  if (shown < outputs.size())
    text += fmt::format("  and {} more outputs, none of them worse\n", outputs.size() - shown);
  return text;
}

std::string coverage_part(const CompareReport& report, const ConsoleStyle& style) {
  const MapCoverage& c = report.coverage;
  if (c.values == 0) return "";
  std::string line =
      fmt::format("{:.1f} % of A's {} found in B: {} mapped (", c.percent(), counted(c.values, "value"), c.mapped);
  std::vector<std::string> ways;
  const auto add = [&](std::int64_t count, const char* what) {
    if (count > 0) ways.push_back(fmt::format("{} by {}", count, what));
  };
  add(c.by_computation, "computation");
  add(c.by_name, "name");
  add(c.by_position, "position");
  add(c.by_binding, "binding");
  line += join(ways, ", ") + ")";
  if (c.fused > 0) line += fmt::format(", {} fused into a node of B", c.fused);
  if (c.gone > 0) line += fmt::format("; {} not found", c.gone);
  std::string text = hanging("  map: ", line, style.width);
  if (c.in_subgraphs > 0)
    text += hanging(
        "  map: ", fmt::format("{} inside subgraphs of A, not compared one by one", counted(c.in_subgraphs, "value")),
        style.width);
  return text;
}

std::string capture_part(const CompareReport& report, const ConsoleStyle& style) {
  const CaptureFacts& c = report.capture;
  std::vector<std::string> said;
  if (c.halved > 0) said.push_back(fmt::format("{} had to be made with fewer values", counted(c.halved, "run")));
  if (c.not_read > 0) said.push_back(counted(c.not_read, "mapped value") + " could not be read");
  if (!c.message.empty()) said.push_back(c.message);
  return said.empty() ? "" : hanging("  reading: ", printable(join(said, "; ")), style.width);
}

bool differs(const ComparedValue& value) {
  return value.state == ValueState::made_here || value.state == ValueState::inherited ||
         value.state == ValueState::unclear;
}

/// What has no distance comes before all that has one.
double severity(const ComparedValue& value) {
  if (value.measurement.max_abs == 0) return std::numeric_limits<double>::infinity();
  return value.measurement.floor > 0 ? value.measurement.max_abs / value.measurement.floor : value.measurement.max_abs;
}

/// The values that are furthest beyond their floors.
std::string worst_part(const CompareReport& report, const ConsoleStyle& style) {
  std::vector<const ComparedValue*> worst;
  for (const ComparedValue& value : report.values) {
    if (differs(value)) worst.push_back(&value);
  }
  if (worst.empty()) return "";
  std::ranges::stable_sort(worst, [](const auto* a, const auto* b) { return severity(*a) > severity(*b); });
  if (worst.size() > worst_values_shown) worst.resize(worst_values_shown);
  std::string text = "\n";
  for (const ComparedValue* value : worst) {
    const std::string line = fmt::format("'{}' {}", printable(value->a, 60), words_of(value->state));
    text += hanging("  worst: ", line + distance_of(value->measurement), style.width);
  }
  return text;
}

/// The first of several.
std::string repro_part(const CompareReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  if (report.repros.empty()) return "";
  const std::string& first = report.repros.front();
  return show_alone_line(first.substr(first.rfind('/') + 1), first, run_folder, style);
}

std::string message_part(const CompareReport& report, const ConsoleStyle& style) {
  return report.message.empty() ? "" : "\n" + hanging("  ", printable(report.message), style.width);
}

}  // namespace

std::string to_console(const CompareReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  const bool is_cut_short = report.values.empty() && report.measurements.empty();
  std::string text = outcome_part(report, style);
  if (is_cut_short) text += hanging("  ", printable(report.message), style.width);
  text += data_part(report, style) + warnings_part(report, style) + outputs_part(report, style) +
          coverage_part(report, style) + capture_part(report, style) + values_table(report, style) +
          worst_part(report, style);
  if (report.decisions) text += "\n" + decisions_part("A and B", *report.decisions, style);
  if (!is_cut_short) text += message_part(report, style);
  text += "\n" + repro_part(report, style, run_folder);
  return text + "report: " + printable(run_folder + "/report.json") + "\n";
}

}  // namespace culprit
