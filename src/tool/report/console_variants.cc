#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "base/text.h"
#include "record/level_words.h"
#include "report/console_parts.h"

namespace culprit {
namespace {

constexpr std::size_t columns = 6;
using VariantRow = std::array<std::string, columns>;
enum Column : std::size_t { id, pass, verdict, nodes, error, time };

constexpr int margin = 2, cell_gap = 2, narrowest_pass = 8;

/// The measurements of outputs, and of inner values where those were compared.
Measurements all_measurements(const VariantRecord& variant) {
  Measurements all = variant.measurements;
  if (!all.empty()) all.insert(variant.inner.begin(), variant.inner.end());
  return all;
}

/// The largest error over them, or the word for what no number tells; "-" where nothing was compared.
std::string error_of(const Measurements& measurements) {
  if (measurements.empty()) return "-";
  double worst = 0;
  for (const auto& [output, m] : measurements) {
    if (m.form != FormChange::none) return m.form == FormChange::other ? "type" : "shape";
    if (std::isnan(m.max_abs)) return "nan";
    worst = std::max(worst, m.max_abs);
    if (worst == 0 && m.mismatched > 0) return "differs";  // strings have no distance
  }
  return worst == 0 ? "0" : fmt::format("{:.1e}", worst);
}

std::string nodes_of(const VariantRecord& variant) {
  // Where the optimizer died, or the model was refused before it was looked at, there is nothing to count.
  if (variant.fingerprint.empty() && variant.nodes == 0) return "-";
  return fmt::format("{} -> {}", variant.nodes_before, variant.nodes);
}

/// "wrong", or "rejected at all" where it takes the runtime's own optimizations to fail.
VariantRow row_of(const ModelReport& report, const VariantRecord& variant) {
  const double seconds = variant.seconds_optimize + variant.seconds_run;
  const Deployed* deployed = failing_deployed(report, variant);
  const std::string verdict = deployed != nullptr
                                  ? fmt::format("{} at {}", reader_word(deployed->verdict), printable(deployed->level))
                                  : std::string(reader_word(variant.verdict));
  return {printable(variant.id),
          printable(name_of_recipe(variant)),
          verdict,
          nodes_of(variant),
          error_of(deployed != nullptr ? deployed->measurements : all_measurements(variant)),
          human_seconds(seconds)};
}

/// As wide as their cells need; what does not fit is taken from the names of the passes.
std::array<int, columns> widths_of(const std::vector<VariantRow>& rows, int width) {
  std::array<int, columns> widths{};
  int total = margin + cell_gap * static_cast<int>(columns - 1);
  for (std::size_t c = 0; c < columns; ++c) {
    for (const VariantRow& row : rows) widths[c] = std::max(widths[c], display_width(row[c]));
    total += widths[c];
  }
  if (total > width) widths[pass] = std::max(narrowest_pass, widths[pass] - (total - width));
  return widths;
}

std::string line_of(const VariantRow& row, const std::array<int, columns>& widths, Ink verdict_ink, bool colour) {
  std::string line(margin, ' ');
  for (std::size_t c = 0; c < columns; ++c) {
    const bool number = c == error || c == time;
    const std::string cell = cut_middle(row[c], widths[c]);
    const std::string padded = number ? pad_left(cell, widths[c]) : pad_right(cell, widths[c]);
    line += (c > 0 ? std::string(cell_gap, ' ') : "") + (c == verdict ? painted(padded, verdict_ink, colour) : padded);
  }
  return line + "\n";
}

/// A session with steps of the runtime that did nothing: it ran, and gave the same bits.
bool did_nothing(const VariantRecord& variant) {
  const bool is_same_graph = variant.ops_changed.empty() && variant.nodes == variant.nodes_before;
  const bool is_same_bits =
      std::ranges::all_of(variant.measurements, [](const auto& measured) { return measured.second.mismatched == 0; });
  return runs_in_session(variant.recipe) && variant.recipe.passes.size() == 1 && is_same_graph && is_same_bits &&
         variant.verdict == Verdict::equivalent;
}

bool is_shown(const VariantRecord& variant, const ConsoleStyle& style) {
  if (style.verbose) return true;
  if (did_nothing(variant)) return false;
  return variant.verdict != Verdict::unchanged && variant.same_as == SameAs::none;
}

std::string table(const ModelReport& report, const ConsoleStyle& style) {
  std::vector<VariantRow> rows{{"id", report.step_word, "verdict", "nodes", "max abs", "time"}};
  std::vector<Ink> inks{Ink::plain};
  for (const VariantRecord& variant : report.variants) {
    if (!is_shown(variant, style)) continue;
    rows.push_back(row_of(report, variant));
    inks.push_back(failing_deployed(report, variant) != nullptr ? Ink::bad : ink_of(variant.verdict));
  }
  if (rows.size() == 1) return "";
  const auto widths = widths_of(rows, style.width);
  std::string text = "\n" + painted(line_of(rows[0], widths, Ink::plain, false), Ink::faint, style.colour);
  for (std::size_t r = 1; r < rows.size(); ++r) text += line_of(rows[r], widths, inks[r], style.colour);
  return text;
}

/// "6 more passes make the same model as V05"
std::string shared_models(const ModelReport& report, const ConsoleStyle& style) {
  std::map<std::string, std::vector<std::string>> sharing;  // id of the variant that was run -> names of the others
  for (const VariantRecord& variant : report.variants)
    if (variant.verdict != Verdict::unchanged && variant.same_as != SameAs::none)
      sharing[same_as_text(variant)].push_back(variant.is_bundle ? kind_of(variant.recipe, true)
                                                                 : name_of_recipe(variant));
  std::string text;
  for (const auto& [same_as, names] : sharing) {
    constexpr std::size_t few = 3;
    const bool one = names.size() == 1;
    const std::string verb = fmt::format(" make{} the same model as {}", one ? "s" : "", same_as);
    std::string line;
    if (one)
      line = names[0] + verb;
    else
      line = fmt::format("{} more {} lists{}", names.size(), report.step_word, verb);
    if (!one && (style.verbose || names.size() <= few)) line += ": " + join(names, ", ");
    text += hanging("  ", printable(line), style.width);
  }
  return text;
}

std::string unchanged_line(const ModelReport& report) {
  const auto unchanged = std::count_if(report.variants.begin(), report.variants.end(),
                                       [](const auto& v) { return v.verdict == Verdict::unchanged || did_nothing(v); });
  if (unchanged == 0) return "";
  if (unchanged == static_cast<std::ptrdiff_t>(report.variants.size()))
    return "  no " + report.step_word + " list changes the model\n";
  return fmt::format("  {} of {} {} lists change{} nothing\n", unchanged, report.variants.size(), report.step_word,
                     unchanged == 1 ? "s" : "");
}

std::string measurement_line(const std::string& output, const Measurement& m) {
  return fmt::format(
      "{}: max_abs {:.3g}, max_rel {:.3g}, {} ulp, cosine {:.9g}; {} of {} elements differ, {} beyond the expected "
      "rounding error {:.2g}, {} beyond tolerance (atol {:.3g}, rtol {:.3g}){}{}{}{}",
      output, m.max_abs, m.max_rel, m.max_ulp, m.cosine, m.mismatched, m.elements, m.beyond_floor, m.floor,
      m.beyond_tolerance, m.atol, m.rtol, m.ties > 0 ? ", " + counted(m.ties, "tie") : "",
      m.nonfinite_mismatch > 0 ? fmt::format(", {} NaN or infinity", m.nonfinite_mismatch) : "",
      m.note.empty() ? "" : "; ", m.note);
}

/// "at level all on 3 samples: equivalent", with its measurements.
std::string deployed_lines(const Deployed& deployed, int width) {
  std::string title = printable(words_of_level(deployed.level)) + " ";
  title += deployed.samples > 0 ? fmt::format("on {}: ", counted(deployed.samples, "sample")) : "(loading only): ";
  title += reader_word(deployed.verdict);
  if (!deployed.confirmed.empty()) title += fmt::format(" (confirmed {})", printable(deployed.confirmed));
  if (!deployed.message.empty()) title += ": " + printable(deployed.message);
  std::string text = hanging("    ", title, width);
  for (const auto& [output, m] : deployed.measurements)
    text += hanging("      ", printable(measurement_line(output, m)), width);
  return text;
}

}  // namespace

const Deployed* failing_deployed(const ModelReport& report, const VariantRecord& variant) {
  if (!variant.deployed) return nullptr;
  const bool fails = std::ranges::any_of(report.faults, [&](const FaultRecord& fault) {
    const bool lists_it = std::ranges::find(fault.variants, variant.id) != fault.variants.end();
    return lists_it && fault.attribution == Attribution::runtime && fault.verdict == variant.deployed->verdict;
  });
  return fails ? &*variant.deployed : nullptr;
}

std::string name_of_recipe(const VariantRecord& variant) {
  const auto& passes = variant.recipe.passes;
  if (is_whole_level(variant.recipe)) return kind_of(variant.recipe, true);
  if (variant.is_bundle && is_of_program(variant.recipe))
    return passes.size() == 1 ? passes.front() : fmt::format("all {} steps", passes.size());
  if (variant.is_bundle) return fmt::format("{} default passes", passes.size());
  if (passes.empty()) return variant.recipe.optimizer == "given" ? "given" : "round trip";
  constexpr std::size_t few = 4;
  if (passes.size() <= few) return join(passes, ",");
  if (!variant.made_as.empty()) return variant.made_as;
  const bool has_steps = runs_in_session(variant.recipe) || is_of_program(variant.recipe);
  return fmt::format("list of {} {}", passes.size(), has_steps ? "steps" : "passes");
}

std::string inconclusive_part(const ModelReport& report, const ConsoleStyle& style) {
  std::map<std::string, std::vector<std::string>> ids_by_message;
  for (const VariantRecord& variant : report.variants)
    if (variant.verdict == Verdict::inconclusive && !variant.message.empty())
      ids_by_message[variant.message].push_back(variant.id);
  std::string text;
  for (const auto& [message, ids] : ids_by_message)
    text += hanging("  ", printable(join(ids, ", ") + " inconclusive: " + message), style.width);
  return text;
}

std::string variants_part(const ModelReport& report, const ConsoleStyle& style) {
  return table(report, style) + shared_models(report, style) + inconclusive_part(report, style) +
         unchanged_line(report);
}

std::string measurements_part(const ModelReport& report, const ConsoleStyle& style) {
  if (!style.verbose) return "";
  std::string text;
  for (const VariantRecord& variant : report.variants) {
    if (variant.same_as != SameAs::none) continue;
    std::string about;
    if (!variant.message.empty()) about += hanging("    ", printable(variant.message), style.width);
    for (const auto& [output, m] : variant.measurements)
      about += hanging("    ", printable(measurement_line(output, m)), style.width);
    if (variant.deployed) about += deployed_lines(*variant.deployed, style.width);
    std::string ops;
    for (const auto& [op, change] : variant.ops_changed)
      ops += fmt::format("{}{} {:+}", ops.empty() ? "" : ", ", op, change);
    if (!ops.empty()) about += hanging("    nodes: ", printable(ops), style.width);
    if (about.empty()) continue;
    const std::string title = variant.id + "  " + name_of_recipe(variant);
    text += "\n  " + cut_middle(printable(title), style.width - margin) + "\n" + about;
  }
  return text;
}

}  // namespace culprit
