#include "report/profile_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string_view>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/profile_console_parts.h"
#include "report/profile_parts.h"
#include "report/profile_shown.h"
#include "report/profile_sweep.h"

namespace culprit {
namespace {

constexpr std::size_t models_shown = 4;
constexpr std::size_t entries_shown = 10;  // of more, --verbose tells all

std::string entries_counted(std::size_t count) { return count == 1 ? "1 entry" : fmt::format("{} entries", count); }

std::string head_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text = painted("profile", Ink::strong, style.colour) + "  " + entries_counted(report.entries.size());
  text += against_what(report, [](const std::string& name) { return cut_middle(printable(name), 24); });
  if (report.blocks > 0) text += ", " + counted(report.blocks, "block");
  if (report.looks > 1) text += fmt::format(" in {} looks", report.looks);
  text += ", " + human_seconds(report.seconds) + "\n";
  const auto models = models_of(report);
  for (std::size_t i = 0; i < std::min(models.size(), models_shown); ++i)
    text += "  model    " + cut_path(printable(models[i]), style.width - 11) + "\n";
  if (models.size() > models_shown) text += fmt::format("           and {} more\n", models.size() - models_shown);
  if (!report.data.empty()) text += hanging("  data     ", printable(report.data), style.width);
  const Environment& machine = report.environment;
  text += hanging("  machine  ",
                  printable(fmt::format("{}, {}; ONNX Runtime {}, {}, {}", machine.cpu, counted(machine.cores, "core"),
                                        machine.onnxruntime, machine.provider, counted(machine.threads, "thread"))),
                  style.width);
  if (report.protocol != "blocks") text += "  protocol " + printable(report.protocol, 40) + "\n";
  return text;
}

using CellOf = std::function<ConsoleCell(const ProfileEntry&)>;

ConsoleColumn column_of(const ProfileReport& report, const std::string& title, const CellOf& cell_of,
                        bool is_words = false) {
  ConsoleColumn column{title, {}, is_words};
  for (const ProfileEntry& entry : report.entries) column.cells.push_back(cell_of(entry));
  return column;
}

ConsoleCell time_cell(const TimeRecord& time) { return {is_there(time) ? short_seconds(time.median) : ""}; }

ConsoleCell bytes_cell(const std::optional<std::uint64_t>& bytes) { return {bytes ? human_bytes(*bytes) : ""}; }

/// Plain numbers decide nothing, so that nothing can have changed.
ConsoleCell changed_cell(const ProfileEntry& entry) {
  if (!entry.quality || !entry.quality->traits.counts_decisions) return {};
  const bool is_changed = entry.quality->changed > 0;
  return {fmt::format("{} of {}", entry.quality->changed, entry.quality->samples), is_changed ? Ink::bad : Ink::plain};
}

/// "top1"; of agreement with the baseline the metric is called as it is, "psnr".
ConsoleColumn head_metric_column(const ProfileReport& report) {
  const auto metric = head_metric(report);
  if (!metric) return {};
  return column_of(report, metric->name, [&](const ProfileEntry& entry) {
    const auto value = value_of(*metric, entry);
    return ConsoleCell{value ? fmt::format("{:.4g}", value->value) : ""};
  });
}

/// There is no need to tell this of graphs that are all alike in it.
ConsoleColumn flops_column(const ProfileReport& report, const ConsoleStyle& style) {
  ConsoleColumn column = column_of(report, "FLOPs", [](const ProfileEntry& entry) {
    return ConsoleCell{graph_figure(entry.graph.flops, entry.graph)};
  });
  const bool differ = std::ranges::any_of(column.cells, [&](const auto& c) { return c.text != column.cells[0].text; });
  return differ || style.verbose ? column : ConsoleColumn();
}

std::vector<ConsoleColumn> columns_of(const ProfileReport& report, const ConsoleStyle& style) {
  const auto column = [&](const char* title, const CellOf& cell_of) { return column_of(report, title, cell_of); };
  const int name_width = style.width / 4;
  std::vector<ConsoleColumn> columns = {
      column_of(
          report, "entry", [&](const auto& e) { return ConsoleCell{cut_middle(printable(e.name), name_width)}; },
          /*is_words=*/true),
      column_of(
          report, "verdict",
          [](const auto& e) {
            return ConsoleCell{verdict_words(e), ink_of(e.verdict)};
          },
          /*is_words=*/true),
      column("time", [](const auto& e) { return time_cell(e.seconds); }),
      column_of(
          report, "time / baseline's",
          [&](const auto& e) {
            const bool is_one = e.verdict == SpeedVerdict::baseline;
            return ConsoleCell{!is_one ? ratio_text(e.ratio) : report.entries.size() > 1 ? "1" : ""};
          },
          /*is_words=*/true),
      column("nodes",
             [](const auto& e) { return ConsoleCell{is_there(e.graph) ? std::to_string(e.graph.nodes) : ""}; }),
      column("runs/s", [](const auto& e) { return ConsoleCell{is_there(e.seconds) ? scaled(e.throughput) : ""}; }),
      column("samples/s", [](const auto& e) { return ConsoleCell{samples_a_second(e)}; }),
      column("peak mem", [](const auto& e) { return bytes_cell(memory_peak(e)); }),
      column("load", [](const auto& e) { return time_cell(e.load); }),
      column("changed", changed_cell),
      head_metric_column(report),
      flops_column(report, style)};
  return columns;
}

/// What --verbose tells beside.
std::vector<ConsoleColumn> more_columns_of(const ProfileReport& report) {
  using Bytes = std::optional<std::uint64_t>;
  const auto column = [&](const char* title, const CellOf& cell_of) { return column_of(report, title, cell_of); };
  const auto memory = [&](const char* title, const std::function<Bytes(const MemoryRecord&)>& field) {
    return column(title, [=](const auto& e) { return e.memory ? bytes_cell(field(*e.memory)) : ConsoleCell(); });
  };
  const auto of_run = [&](const char* title, const std::function<std::string(const TimeRecord&)>& words) {
    return column(title, [=](const auto& e) { return ConsoleCell{is_there(e.seconds) ? words(e.seconds) : ""}; });
  };
  const auto of_latency = [&](const char* title, double LatencyRecord::*which) {
    return column(title,
                  [=](const auto& e) { return ConsoleCell{e.latency ? short_seconds((*e.latency).*which) : ""}; });
  };
  return {
      of_run("p10", [](const TimeRecord& time) { return short_seconds(time.p10); }),
      of_run("p90", [](const TimeRecord& time) { return short_seconds(time.p90); }),
      of_run("runs", [](const TimeRecord& time) { return std::to_string(time.runs); }),
      of_latency("fastest", &LatencyRecord::fastest),
      of_latency("p95", &LatencyRecord::p95),
      of_latency("p99", &LatencyRecord::p99),
      of_latency("slowest", &LatencyRecord::slowest),
      column("first run", [](const auto& e) { return time_cell(e.first_run); }),
      column("optimizing", [](const auto& e) { return ConsoleCell{e.optimizing ? short_seconds(*e.optimizing) : ""}; }),
      memory("load peak", [](const MemoryRecord& m) { return Bytes(m.load_peak); }),
      memory("run peak", [](const MemoryRecord& m) { return Bytes(m.run_peak); }),
      memory("arena", [](const MemoryRecord& m) { return m.arena; }),
      memory("planned", [](const MemoryRecord& m) { return m.planned; }),
      column("file",
             [](const auto& e) { return ConsoleCell{is_there(e.graph) ? human_bytes(e.graph.file_bytes) : ""}; }),
      column("moved", [](const auto& e) { return ConsoleCell{graph_figure(e.graph.moved, e.graph, "B")}; })};
}

std::string failures_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  for (const ProfileEntry& entry : report.entries)
    if (!entry.failure.empty())
      text +=
          hanging("  " + entry_head(report, entry), printable(entry.failure, style.verbose ? 2000 : 300), style.width);
  return text;
}

bool has_warning(const ProfileReport& report, std::initializer_list<std::string_view> codes) {
  return std::ranges::any_of(report.warnings,
                             [&](const Warning& one) { return std::ranges::count(codes, one.code) > 0; });
}

/// What may be true of those that nobody can tell, and what to do about it.
std::string ambiguous_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  bool is_any_interval = false;
  for (const ProfileEntry& entry : report.entries) {
    if (entry.verdict != SpeedVerdict::ambiguous) continue;
    is_any_interval = is_any_interval || has_interval(entry.ratio);
    text += "  " + entry_head(report, entry) + painted(doubt_words(entry), ink_of(entry.verdict), style.colour) + "\n";
  }
  if (text.empty()) return text;
  const std::string meaning =
      is_any_interval
          ? fmt::format(
                "the interval lies neither within {:g} % of the baseline nor wholly beyond. More blocks make it "
                "narrower",
                100 * same_within)
          : fmt::format("too few blocks were made for a verdict: there is no interval of fewer than {}", least_blocks);
  const char* then = has_warning(report, {"budget_spent"}) ? "" : "; --until-sure goes on until it tells";
  return text + hanging("  ", "AMBIGUOUS: " + meaning + then, style.width);
}

std::string warnings_part(const ProfileReport& report, const ConsoleStyle& style) {
  std::string text;
  const auto add = [&](const std::string& of, const Warning& warning) {
    text += hanging("  warning: ", of + printable(warning.code + ": " + warning.message, style.verbose ? 2000 : 400),
                    style.width);
  };
  for (const Warning& warning : report.warnings)
    if (style.verbose || !is_quiet(report, warning)) add("", warning);
  for (const ProfileEntry& entry : report.entries)
    for (const Warning& warning : entry.warnings) add(cut_middle(printable(entry.name), 24) + ": ", warning);
  if (report.interrupted) text += hanging("  interrupted: ", "not all was measured; what stands here was", style.width);
  return text.empty() ? "" : "\n" + text;
}

std::string unread_part(const ProfileReport& report, const ConsoleStyle& style) {
  const std::string unread = unread_devices(report);
  if (unread.empty() || style.verbose) return "";
  return "\n  devices: " + unread + " (--verbose tells why)\n";
}

/// Rows or times that were not compared are among the warnings.
const char* no_regression(const ProfileReport& report) {
  if (has_warning(report, {"nothing_to_compare"})) return "nothing was compared with ";
  if (has_warning(report, {"row_not_kept", "row_gone", "time_not_compared", "quality_not_compared", "no_common_row"}))
    return "of what could be compared, nothing is worse than in ";
  return "nothing is worse than in ";
}

std::string regressions_part(const ProfileReport& report, const ConsoleStyle& style) {
  if (report.kept.empty()) return "";
  const std::string file = cut_path(printable(report.kept), 60);
  if (report.regressions.empty()) return "\n" + hanging("  ", no_regression(report) + file, style.width);
  std::string text = "\n" + hanging("  ", painted("worse than in " + file, Ink::bad, style.colour), style.width);
  for (const RegressionRecord& regression : report.regressions)
    text += hanging("    ", cut_middle(printable(regression.entry), 40) + ": " + printable(regression.message),
                    style.width);
  return text;
}

std::string under_blank(const std::string& part) { return part.empty() ? "" : "\n" + part; }

}  // namespace

std::string to_console(const ProfileReport& report, const ConsoleStyle& style,
                       const std::filesystem::path& run_folder) {
  std::string text = head_part(report, style);
  const ProfileReport shown = style.verbose ? report : most_telling(report, entries_shown);
  auto columns = columns_of(shown, style);
  if (style.verbose) std::ranges::move(more_columns_of(shown), std::back_inserter(columns));
  if (!shown.entries.empty()) text += "\n" + wide_table(columns, style);
  if (const std::string missing = what_is_missing(report, shown); !missing.empty())
    text += hanging("  ", missing + " (--verbose shows them)", style.width);
  text += under_blank(failures_part(shown, style) + ambiguous_part(shown, style));
  text += sweep_part(report, style);
  text += graphs_part(shown, style) + placement_part(shown, style) + slowest_part(shown, style) +
          devices_part(shown, style) + unread_part(report, style) + kernels_part(shown, style) +
          quality_part(shown, style) + blames_part(report, style) + regressions_part(report, style) +
          warnings_part(shown, style);
  if (run_folder.empty()) return text;
  return text + "\nreport: " + printable((run_folder / "report.json").string()) + "\n";
}

}  // namespace culprit
