#include "report/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/decisions_parts.h"

namespace culprit {
namespace {

constexpr std::size_t warnings_shown = 5;

std::string_view why_not_judged(const ModelReport& report) {
  const bool was_fed = report.data.samples > 0;
  switch (report.baseline.status) {
    case BaselineStatus::ok:
      return "";
    case BaselineStatus::weak_data:
      return "the data are too weak";
    case BaselineStatus::does_not_load:
      return "the model does not load";
    case BaselineStatus::does_not_run:
      return was_fed ? "the model does not run" : "there is nothing to feed it";
    case BaselineStatus::nondeterministic:
      return "the model does not repeat itself";
    case BaselineStatus::machine_failed:
      return "the machine failed";
  }
  return "";
}

/// "1 fault", "no fault", "2 known faults", "1 new, 2 known"
std::string faults_text(std::int64_t fresh, std::int64_t known) {
  if (known == 0) return counted(fresh, "fault", "no");
  return fresh == 0 ? counted(known, "known fault") : fmt::format("{} new, {} known", fresh, known);
}

/// "3 models", "3 models (1 not judged)"
std::string models_text(const Summary& summary) {
  const std::string all = counted(summary.models, "model");
  return summary.not_judged > 0 ? all + fmt::format(" ({} not judged)", summary.not_judged) : all;
}

/// "no fault" is said only where something was judged.
std::string summary_of_faults(const Summary& summary) {
  const bool is_nothing_judged = summary.models > 0 && summary.not_judged == summary.models;
  const bool has_none = summary.faults + summary.known_faults == 0;
  return is_nothing_judged && has_none ? "nothing judged" : faults_text(summary.faults, summary.known_faults);
}

struct CheckOutcome {
  std::string word;
  Ink ink;
  std::string rest;
};

CheckOutcome shown_outcome(const ModelReport& report) {
  if (!report.error.empty()) return {"cannot judge:", Ink::doubtful, " " + printable(report.baseline.message)};
  const auto distinct = std::count_if(report.variants.begin(), report.variants.end(), [](const auto& v) {
    return v.same_as == SameAs::none && !v.fingerprint.empty();
  });
  const auto known = std::count_if(report.faults.begin(), report.faults.end(),
                                   [](const FaultRecord& fault) { return fault.known.has_value(); });
  const auto fresh = static_cast<std::int64_t>(report.faults.size()) - known;
  const std::string counts =
      fmt::format("  {}, {} distinct, {}", counted(static_cast<std::int64_t>(report.variants.size()), "variant"),
                  distinct, faults_text(fresh, known));
  if (fresh > 0) return {"FAULT", Ink::bad, counts};
  if (known > 0) return {"known", Ink::doubtful, counts};
  if (report.baseline.status != BaselineStatus::ok)
    return {"cannot judge:", Ink::doubtful, " " + std::string(why_not_judged(report))};
  if (const std::string open = open_question(report); !open.empty())
    return {"cannot judge:", Ink::doubtful, " " + open};
  return {"ok", Ink::good, counts};
}

/// "mnist-7.onnx  ok  40 variants, 5 distinct, no fault"
std::string outcome_part(const ModelReport& report, const ConsoleStyle& style) {
  const CheckOutcome outcome = shown_outcome(report);
  const int left = style.width - 2 - display_width(outcome.word) - display_width(outcome.rest);
  const std::string path = cut_path(printable(report.model.path), std::max(left, 12));
  return painted(path, Ink::strong, style.colour) + "  " + painted(outcome.word, outcome.ink, style.colour) +
         outcome.rest + "\n";
}

/// Why nothing or not everything could be judged, and what to do.
std::string reason_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!report.error.empty()) return hanging("  ", printable(report.error), style.width);
  if (report.baseline.status == BaselineStatus::ok) return "";
  std::string message = printable(report.baseline.message);
  if (!report.faults.empty())
    message =
        "values cannot be judged: " + std::string(why_not_judged(report)) + (message.empty() ? "" : ": " + message);
  return message.empty() ? "" : hanging("  ", message, style.width);
}

/// What was made up and why, on one line where it is asked for.
std::string choices_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!style.verbose || report.data.choices.empty()) return "";
  return hanging("  inputs: ", printable(join(report.data.choices, "; ")), style.width);
}

/// "12 nodes, opset 8, IR 3; 3 samples (synthesized, seed 0, N=7|11); 1.4 s"
std::string facts_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!report.error.empty()) return "";
  std::string line = counted(report.model.nodes, "node");
  for (const auto& [domain, version] : report.model.opsets)
    line += fmt::format(", {}opset {}", domain.empty() ? "" : printable(domain) + " ", version);
  line += fmt::format(", IR {}", report.model.ir_version);
  if (report.data.samples > 0) line += "; " + data_text(report.data);
  line += "; " + human_seconds(report.seconds);
  return hanging("  ", line, style.width);
}

struct Said {
  std::string code, message;
  std::vector<std::string> variants;  ///< empty: said of the model
};

/// The model's own warnings, and those of variants once a code.
std::vector<Said> all_warnings(const ModelReport& report) {
  std::vector<Said> all;
  for (const Warning& warning : report.warnings) all.push_back({warning.code, warning.message, {}});
  std::map<std::string, std::size_t> place_of;
  for (const VariantRecord& variant : report.variants)
    for (const Warning& warning : variant.warnings) {
      const auto [at, is_new] = place_of.try_emplace(warning.code, all.size());
      if (is_new) all.push_back({warning.code, warning.message, {}});
      all[at->second].variants.push_back(variant.id);
    }
  return all;
}

std::string warnings_part(const ModelReport& report, const ConsoleStyle& style) {
  const std::vector<Said> all = all_warnings(report);
  const std::size_t shown = style.verbose ? all.size() : std::min(all.size(), warnings_shown);
  std::string text;
  for (std::size_t i = 0; i < shown; ++i) {
    std::string line = printable(all[i].code);
    if (!all[i].variants.empty()) {
      const std::vector<std::string>& ids = all[i].variants;
      const bool few = style.verbose || ids.size() <= 3;
      line += " (" + (few ? join(ids, ", ") : fmt::format("{} and {} more", ids[0], ids.size() - 1)) + ")";
    }
    text += hanging("  warning: ", line + ": " + printable(all[i].message), style.width);
  }
  if (shown < all.size())
    text += fmt::format("  and {} (--verbose shows them)\n",
                        counted(static_cast<std::int64_t>(all.size() - shown), "more warning"));
  return text;
}

/// Controls that differ where nothing may; with --verbose all of them. What the runtime's own optimizations do is said
/// by warnings, where it matters.
std::string controls_part(const ModelReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const ControlRecord& control : report.controls) {
    const bool fine = control.verdict == Verdict::unchanged || control.verdict == Verdict::equivalent ||
                      control.name == ControlName::runtime_optimized;
    if (fine && !style.verbose) continue;
    const std::string message = control.message.empty() ? "" : ": " + printable(control.message);
    text += hanging("  control: ", fmt::format("{} {}", name_of(control.name), reader_word(control.verdict)) + message,
                    style.width);
  }
  return text;
}

/// "the bundle", "fuse_bn_into_conv, run to its own fixpoint"
std::string maker_of(const Recipe& recipe) {
  if (recipe.passes.empty() && is_of_program(recipe)) return recipe.optimizer + " with all of its steps left out makes";
  if (recipe.passes.empty()) return "import and export alone make";
  if (is_of_program(recipe) && recipe.passes.size() > 1) return recipe.optimizer + " makes";
  const std::string who =
      recipe.passes.size() == 1 ? recipe.passes.front() : fmt::format("all {} default passes", recipe.passes.size());
  const std::string verb = recipe.passes.size() == 1 ? "makes" : "make";
  return who + (recipe.repeat == Repeat::library ? ", run to the library's fixpoint, " : " ") + verb;
}

/// "broken.onnx (11 nodes): what fuse_bn_into_conv makes of the model"
std::string given_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!report.given) return "";
  const GivenRecord& given = *report.given;
  const bool is_same =
      !report.variants.empty() && report.variants.front().same_as == SameAs::original && !given.made_by;
  std::string what = "no pass of the optimizer makes this file, nor do its default passes";
  if (is_same)
    what = "the same graph as the model";
  else if (given.made_by)
    what = "what " + maker_of(*given.made_by) + " of the model";
  else if (!given.message.empty())
    what = "not known what made it: " + given.message;
  std::string text = hanging(
      "  variant: ",
      fmt::format("{} ({}): {}", printable(given.model.path), counted(given.model.nodes, "node"), printable(what)),
      style.width);
  for (const VariantRecord& variant : report.variants) {
    if (variant.verdict == Verdict::deviates && report.faults.empty() && !variant.message.empty())
      text += hanging("  small difference: ", printable(variant.message), style.width);
  }
  return text;
}

/// "2 imports, 12 sessions, 35 runs, 17 processes"
std::string counts_text(const Counts& counts) {
  return fmt::format("{}, {}, {}, {}", counted(counts.imports, "import"), counted(counts.sessions, "session"),
                     counted(counts.runs, "run"),
                     counts.processes == 1 ? "1 process" : fmt::format("{} processes", counts.processes));
}

/// Shows a line a phase, with --verbose. "reducing    12.3 s, 0.4 s of it here; 71 imports, 140 sessions, 200 runs, 310
/// processes"
std::string phases_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!style.verbose) return "";
  std::string text;
  for (const PhaseRecord& phase : report.phases) {
    const bool is_nothing = phase.seconds < 0.001 && phase.counts.processes + phase.counts.runs == 0;
    if (is_nothing) continue;
    text += hanging(fmt::format("  {:<11} ", name_of(phase.phase)),
                    fmt::format("{}, {} of it here; {}", human_seconds(phase.seconds),
                                human_seconds(phase.seconds_here), counts_text(phase.counts)),
                    style.width);
  }
  return text.empty() ? "" : "  where the time went:\n" + text;
}

/// What there was no time for; with --verbose also what it took.
std::string cost_part(const ModelReport& report, const ConsoleStyle& style) {
  std::string text;
  if (!report.skipped.empty())
    text += hanging("  skipped: ", printable(join(report.skipped, ", ")) + " (the time of --budget was spent)",
                    style.width);
  const Memory& memory = report.memory;
  if (style.verbose && memory.runner + memory.optimizer > 0)
    text += hanging("  memory: ",
                    fmt::format("{} here, {} in an optimizer, {} in a runtime", human_bytes(memory.parent),
                                human_bytes(memory.optimizer), human_bytes(memory.runner)),
                    style.width);
  const Spent& spent = report.spent;
  if (style.verbose && spent.runs + spent.loads + spent.optimize > 0)
    text += hanging("  spent: ",
                    fmt::format("{} in runs, {} in loading, {} in optimizing", human_seconds(spent.runs),
                                human_seconds(spent.loads), human_seconds(spent.optimize)),
                    style.width);
  return text + phases_part(report, style);
}

/// "7", or "7|11" where every second sample has another size.
std::string sizes_of(const DataFacts& data, const std::string& name, std::int64_t size) {
  const auto other = data.other_dims.find(name);
  const bool is_one = other == data.other_dims.end() || other->second == size;
  return is_one ? std::to_string(size) : fmt::format("{}|{}", size, other->second);
}

}  // namespace

bool is_file_judged(const ModelReport& report) {
  return report.given && (!report.given->made_by || report.given->made_by->passes.empty());
}

std::string data_text(const DataFacts& data) {
  std::string text = fmt::format("{} ({}", counted(data.samples, "sample"), reader_word(data.source));
  if (data.source == DataSource::synthesized) text += fmt::format(", seed {}", data.seed);
  for (const auto& [name, size] : data.dims)
    text += fmt::format(", {}={}", printable(name), sizes_of(data, name, size));
  return text + ")";
}

Ink ink_of(Verdict verdict) {
  if (is_fault(verdict, /*strict=*/false)) return Ink::bad;
  if (verdict == Verdict::deviates || verdict == Verdict::inconclusive) return Ink::doubtful;
  return verdict == Verdict::unchanged ? Ink::faint : Ink::good;
}

std::string to_console(const ModelReport& report, const ConsoleStyle& style, const std::string& run_folder) {
  if (style.only_faults && !style.verbose)
    return outcome_part(report, style) + reason_part(report, style) + facts_part(report, style) +
           given_part(report, style) + (report.faults.empty() ? warnings_part(report, style) : "") +
           (open_question(report).empty() ? "" : controls_part(report, style) + inconclusive_part(report, style)) +
           decisions_part(report, style) + faults_part(report, style, run_folder) + safe_recipe_part(report, style) +
           cost_part(report, style);
  return outcome_part(report, style) + reason_part(report, style) + facts_part(report, style) +
         given_part(report, style) + choices_part(report, style) + warnings_part(report, style) +
         controls_part(report, style) + directions_part(report, style) + floors_part(report, style) +
         variants_part(report, style) + measurements_part(report, style) + decisions_part(report, style) +
         faults_part(report, style, run_folder) + safe_recipe_part(report, style) + cost_part(report, style);
}

std::string to_console(const Summary& summary, const ConsoleStyle& style, const std::string& run_folder) {
  std::string line = fmt::format("{}, {} ({} distinct), {}", models_text(summary), counted(summary.variants, "variant"),
                                 summary.distinct_variants, summary_of_faults(summary));
  std::string separator = ": ";
  for (const auto& [verdict, count] : summary.by_verdict) {
    line += fmt::format("{}{} {}", separator, count, reader_word(verdict));
    separator = ", ";
  }
  std::string text = "\n" + hanging("", line + "; " + human_seconds(summary.seconds), style.width);
  if (summary.not_judged > 0)
    text += hanging("", fmt::format("cannot judge {} of {}", summary.not_judged, counted(summary.models, "model")),
                    style.width);
  if (summary.not_reached > 0)
    text += hanging("", "interrupted: " + counted(summary.not_reached, "model") + " not checked", style.width);
  if (style.verbose) text += hanging("", counts_text(summary.counts), style.width);
  return text + "report: " + printable(run_folder + "/report.json") + "\n";
}

std::string show_alone_line(const std::string& id, const std::string& repro, const std::string& run_folder,
                            const ConsoleStyle& style) {
  return hanging(
      "", fmt::format("show {} alone: python3 {}/{}/repro.py", printable(id), printable(run_folder), printable(repro)),
      style.width);
}

}  // namespace culprit
