#include "report/profile_markdown.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.h"
#include "report/console_parts.h"
#include "report/layout.h"
#include "report/markdown_parts.h"
#include "report/node_rates.h"
#include "report/profile_parts.h"
#include "report/profile_shown.h"
#include "report/profile_sweep.h"

namespace culprit {
namespace {

constexpr std::size_t top_types = 5;
constexpr std::size_t nodes_shown = 10;
constexpr int name_limit = 60;  // of what stands in a cell

using Rows = std::vector<std::vector<std::string>>;

std::string code(std::string_view text) { return markdown_code(cut_middle(printable(text), name_limit)); }

std::string exact_percent(double share) { return std::isfinite(share) ? fmt::format("{:.3g} %", 100 * share) : "?"; }

std::string time_or_nothing(const TimeRecord& time) { return is_there(time) ? short_seconds(time.median) : ""; }

/// "12.1", "12.1 (96.8 samples)"
std::string throughput_cell(const ProfileEntry& entry) {
  if (!is_there(entry.seconds)) return "";
  const std::string samples = samples_a_second(entry);
  return scaled(entry.throughput) + (samples.empty() ? "" : " (" + samples + " samples)");
}

std::string verdict_cell(const ProfileEntry& entry) {
  const bool is_loud = entry.verdict != SpeedVerdict::same && entry.verdict != SpeedVerdict::baseline;
  return is_loud ? "**" + verdict_words(entry) + "**" : verdict_words(entry);
}

std::string head_part(const ProfileReport& report) {
  std::string text = "## Profile" + against_what(report, code) + "\n\n";
  for (const std::string& model : models_of(report)) text += "- model: " + markdown_code(model) + "\n";
  if (!report.data.empty()) text += "- data: " + markdown_text(report.data) + "\n";
  const Environment& machine = report.environment;
  text += "- machine: " +
          markdown_text(fmt::format("{}, {}, {}; ONNX Runtime {}, {}", machine.cpu, counted(machine.cores, "core"),
                                    machine.os, machine.onnxruntime, counted(machine.threads, "thread"))) +
          "\n";
  text +=
      fmt::format("- measured: {}, protocol {}, {}; culprit {}\n", counted(report.blocks, "block"),
                  markdown_text(report.protocol), human_seconds(report.seconds), markdown_text(report.tool_version));
  if (const std::string unread = unread_devices(report); !unread.empty())
    text += "- devices: " + unread + " (report.json tells why)\n";
  if (report.interrupted) text += "- **interrupted**: not all was measured\n";
  return text;
}

std::string time_part(const ProfileReport& report) {
  Rows rows;
  std::string notes;
  for (const ProfileEntry& entry : report.entries) {
    const bool ran = is_there(entry.seconds);
    const auto peak = memory_peak(entry);
    rows.push_back({code(entry.name), verdict_cell(entry), time_or_nothing(entry.seconds),
                    ran ? short_seconds(entry.seconds.p10) + " to " + short_seconds(entry.seconds.p90) : "",
                    entry.verdict == SpeedVerdict::baseline ? "1" : ratio_text(entry.ratio), throughput_cell(entry),
                    time_or_nothing(entry.load), peak ? human_bytes(*peak) : ""});
    if (!entry.failure.empty()) notes += "- " + code(entry.name) + ": " + markdown_text(entry.failure) + "\n";
    const bool is_told = is_there(entry.ratio) && entry.verdict != SpeedVerdict::baseline;
    if (is_told && entry.verdict == SpeedVerdict::ambiguous)
      notes += "- " + code(entry.name) + ": " + doubt_words(entry) + "; more blocks would tell\n";
    else if (is_told && entry.verdict != SpeedVerdict::same)
      notes += "- " + code(entry.name) + ": " + speed_words(entry.ratio.value) + "\n";
  }
  return "\n### Time\n\n" +
         markdown_table({"entry", "verdict", "median", "p10 to p90", "time / baseline's (95 %)", "runs a second",
                         "load", "peak memory"},
                        rows) +
         fmt::format(
             "\nSAME: the interval lies within {:g} % of the baseline. SLOWER, FASTER: wholly beyond. "
             "Runs a second: one after the other, 1 / the median.\n",
             100 * same_within) +
         (notes.empty() ? "" : "\n" + notes);
}

/// Single runs, and what a user waits for before them.
std::string latency_part(const ProfileReport& report) {
  Rows rows;
  for (const ProfileEntry& entry : report.entries) {
    if (!entry.latency) continue;
    const LatencyRecord& latency = *entry.latency;
    rows.push_back({code(entry.name), short_seconds(latency.fastest), short_seconds(latency.p50),
                    short_seconds(latency.p95), short_seconds(latency.p99), short_seconds(latency.slowest),
                    std::to_string(latency.runs), time_or_nothing(entry.load), time_or_nothing(entry.first_run)});
  }
  if (rows.empty()) return "";
  const std::string of_samples =
      report.samples > 1 ? fmt::format(" The runs of all {} samples are in it.", report.samples) : "";
  return "\n### Latency of single runs\n\n" +
         markdown_table({"entry", "fastest", "p50", "p95", "p99", "slowest", "runs", "load", "first run"}, rows) +
         "\np99: 99 of 100 runs take no longer." + of_samples +
         " First run: of a session that was just loaded, the median over the blocks.\n";
}

/// OTX, figures 3 and 4.
std::string graph_part(const ProfileReport& report) {
  const auto types = top_op_types(report, top_types);
  std::vector<std::string> titles = {"entry", "nodes", "change"};
  for (const std::string& type : types) titles.push_back(code(type));
  titles.insert(titles.end(), {"other types", "FLOPs a run", "moved"});
  Rows rows;
  for (const ProfileEntry& entry : report.entries) {
    if (!is_there(entry.graph)) continue;
    const ProfileEntry* original = original_of(report, entry);
    const auto change = original == nullptr ? std::nullopt : node_change(entry, *original);
    const auto all = static_cast<double>(nodes_in(entry.graph.ops));
    std::vector<std::string> row = {code(entry.name), std::to_string(entry.graph.nodes),
                                    original == &entry ? ""
                                    : change           ? fmt::format("{:+.0f} %", *change)
                                                       : "?"};
    std::int64_t others = nodes_in(entry.graph.ops);
    for (const std::string& type : types) {
      const auto found = entry.graph.ops.find(type);
      const std::int64_t count = found == entry.graph.ops.end() ? 0 : found->second;
      others -= count;
      row.push_back(fmt::format("{} ({})", count, exact_percent(static_cast<double>(count) / all)));
    }
    row.insert(row.end(), {std::to_string(others), graph_figure(entry.graph.flops, entry.graph),
                           graph_figure(entry.graph.moved, entry.graph, "B")});
    rows.push_back(row);
  }
  return rows.empty() ? "" : "\n### Nodes and operator types\n\n" + markdown_table(titles, rows);
}

/// OTX, table 1.
std::string providers_part(const ProfileReport& report) {
  std::set<std::string> providers;
  for (const ProfileEntry& entry : report.entries)
    for (const auto& [provider, ops] : entry.graph.providers) providers.insert(provider);
  if (providers.empty()) return "";
  std::vector<std::string> titles = {"entry"};
  for (const std::string& provider : providers) titles.push_back(markdown_text(provider_name(provider)));
  Rows rows;
  for (const ProfileEntry& entry : report.entries) {
    std::int64_t all = 0;
    for (const auto& [provider, ops] : entry.graph.providers) all += nodes_in(ops);
    if (all <= 0) continue;
    std::vector<std::string> row = {code(entry.name)};
    for (const std::string& provider : providers) {
      const auto found = entry.graph.providers.find(provider);
      const std::int64_t nodes = found == entry.graph.providers.end() ? 0 : nodes_in(found->second);
      row.push_back(
          fmt::format("{} ({})", nodes, exact_percent(static_cast<double>(nodes) / static_cast<double>(all))));
    }
    rows.push_back(row);
  }
  return "\n### Nodes by provider\n\n" + markdown_table(titles, rows);
}

/// OTX, table 2.
std::string kernels_part(const ProfileReport& report) {
  const auto percents = [](double value) { return fmt::format("{:.1f} %", value); };
  Rows rows;
  for (const ProfileEntry& entry : report.entries)
    for (const KernelRecord& kernel : entry.kernels)
      rows.push_back({code(kernel.name), code(entry.name), std::to_string(kernel.calls), short_seconds(kernel.seconds),
                      scaled(kernel.block_size), scaled(kernel.grid_size),
                      kernel.occupancy_percent ? percents(*kernel.occupancy_percent) : "", percents(kernel.sm_percent),
                      percents(kernel.memory_percent)});
  if (rows.empty()) return "";
  return "\n### Kernels\n\n" + markdown_table({"kernel", "entry", "calls", "time", "block size", "grid size",
                                               "SM occupancy", "SM throughput", "memory throughput"},
                                              rows);
}

void add_device(std::vector<std::string>& row, const std::vector<DeviceRecord>& devices) {
  const DeviceRecord device = devices.empty() ? DeviceRecord() : devices.front();
  const auto mean = [](const std::optional<Sampled>& sampled, const char* unit) {
    return sampled && std::isfinite(sampled->mean) ? fmt::format("{:.3g} {}", sampled->mean, unit) : "";
  };
  row.insert(row.end(), {markdown_text(cut_middle(printable(device.name), name_limit)), mean(device.utilization, "%"),
                         device.memory ? scaled(device.memory->most, "B") : "", mean(device.power, "W"),
                         device.joules_a_run ? fmt::format("{:.3g} J", *device.joules_a_run) : ""});
}

std::string markdown_metrics(const std::map<std::string, MetricRecord>& metrics) {
  std::vector<std::string> said;
  said.reserve(metrics.size());
  for (const auto& [name, metric] : metrics)
    said.push_back(
        fmt::format("{} {:.3g} ({:.3g} to {:.3g})", markdown_text(name), metric.value, metric.low, metric.high));
  return join(said, "<br>");
}

/// OTX, table 3.
std::string costs_part(const ProfileReport& report) {
  Rows rows;
  bool is_told = false;
  for (const ProfileEntry& entry : report.entries) {
    is_told = is_told || entry.quality || !entry.devices.empty();
    const auto peak = memory_peak(entry);
    std::vector<std::string> row = {code(entry.name), time_or_nothing(entry.seconds), throughput_cell(entry),
                                    peak ? human_bytes(*peak) : ""};
    add_device(row, entry.devices);
    const DecisionRecord quality = entry.quality.value_or(DecisionRecord());
    const bool is_decided = entry.quality && quality.traits.counts_decisions;
    row.push_back(is_decided ? fmt::format("{} of {}", quality.changed, quality.samples) : "");
    row.push_back(is_baseline(report, entry) ? "" : markdown_metrics(quality.metrics));
    row.push_back(markdown_metrics(quality.variant_against_labels));
    rows.push_back(row);
  }
  if (!is_told) return "";
  std::string about;
  for (const std::string& line : report.quality_about) about += "- " + markdown_text(line) + "\n";
  return "\n### Time, devices and quality\n\n" + about + (about.empty() ? "" : "\n") +
         markdown_table({"entry", "time", "runs a second", "peak memory", "device", "utilization", "device memory",
                         "power", "energy a run", "decisions changed", "agreement", "against labels"},
                        rows) +
         "\nEnergy a run: all that the device took meanwhile, also for being on, divided by the runs.\n";
}

std::string rate_or_nothing(const std::optional<double>& rate) { return rate ? scaled(*rate) : ""; }

std::string limits_part(const ProfileReport& report) {
  if (!report.limits) return "";
  const MachineLimits& limits = *report.limits;
  return fmt::format(
      "\nThe machine's limits, measured with {}: {} (float32, {}) and {} (a triad over {}; the largest cache has "
      "{}).\n",
      counted(limits.threads, "thread"), scaled(limits.flops, "FLOP/s"), markdown_text(limits.instructions),
      scaled(limits.bandwidth, "B/s"), human_bytes(limits.buffer_bytes), human_bytes(limits.cache_bytes));
}

std::string nodes_part(const ProfileReport& report) {
  std::string text;
  for (const ProfileEntry& entry : report.entries) {
    if (!entry.nodes || entry.nodes->nodes.empty()) continue;
    Rows rows;
    for (const NodeTimeRecord& node : entry.nodes->nodes) {
      if (rows.size() == nodes_shown) break;
      rows.push_back({code(node.node), code(node.op), short_seconds(node.seconds), exact_percent(node.share),
                      node.baseline_seconds ? short_seconds(*node.baseline_seconds) : "",
                      rate_or_nothing(flops_per_second(node)), rate_or_nothing(bytes_per_second(node)),
                      rate_or_nothing(flops_per_byte(node))});
    }
    const std::string elsewhere = baseline_elsewhere(*entry.nodes);
    text += fmt::format("\n<details><summary>The slowest nodes of {} ({} of {} a run, {} between them{})</summary>\n\n",
                        "<code>" + markdown_text(cut_middle(printable(entry.name), name_limit)) + "</code>",
                        short_seconds(entry.nodes->nodes_seconds), short_seconds(entry.nodes->run_seconds),
                        short_seconds(entry.nodes->left_out_seconds),
                        elsewhere.empty() ? "" : "; " + markdown_text(elsewhere)) +
            markdown_table({"node", "operator", "time", "share", "baseline's time for the same work", "FLOP/s", "B/s",
                            "FLOPs a byte"},
                           rows) +
            "\n</details>\n";
  }
  return text.empty() ? text : text + limits_part(report);
}

/// What is open, and what was asked, of a search that did not come to its end.
std::string open_steps_part(const BlameRecord& blame) {
  if (blame.open.empty()) return "";
  std::string text = "  - open: " + markdown_text(join(blame.open, ", "));
  if (blame.seconds_left > 0)
    text += fmt::format(" (about {} of measuring at most)", human_seconds(blame.seconds_left));
  text += "\n";
  for (const BlameAnswer& answer : blame.answers)
    text += fmt::format("  - asked {}: {} {}\n",
                        markdown_text(words_of_steps(answer.steps, blame.answers.front().steps.size())),
                        is_there(answer.ratio) ? ratio_text(answer.ratio) : "no ratio", name_of(answer.verdict));
  return text;
}

std::string blames_part(const ProfileReport& report) {
  std::string text;
  for (const BlameRecord& blame : report.blames) {
    text += "- " + code(blame.entry) + ": " + markdown_text(blame.message) + "\n";
    std::vector<std::string> steps;
    for (const std::string& step : blame.steps) steps.push_back(code(step));
    if (!steps.empty()) text += "  - steps: " + join(steps, ", ") + "\n";
    if (!blame.because.empty()) text += "  - because: " + code(blame.because) + "\n";
    if (!blame.ops_changed.empty())
      text += "  - in its file without any step: " + markdown_text(change_words(blame.ops_changed)) + "\n";
    if (is_there(blame.with)) text += "  - alone: " + ratio_text(blame.with) + "\n";
    if (is_there(blame.without) && blame.without_verdict)
      text += "  - without: " + ratio_text(blame.without) + ", " + std::string(name_of(*blame.without_verdict)) + "\n";
    if (!blame.workaround.empty()) text += "  - workaround: " + markdown_code(blame.workaround) + "\n";
    text += open_steps_part(blame);
  }
  return text.empty() ? "" : "\n### Blame\n\n" + text;
}

std::string warnings_part(const ProfileReport& report) {
  std::string text;
  const auto add = [&](const std::string& of, const Warning& warning) {
    text += "- " + of + code(warning.code) + ": " + markdown_text(warning.message) + "\n";
  };
  for (const Warning& warning : report.warnings)
    if (!is_quiet(report, warning)) add("", warning);
  for (const ProfileEntry& entry : report.entries)
    for (const Warning& warning : entry.warnings) add(code(entry.name) + ", ", warning);
  return text.empty() ? "" : "\n### Warnings\n\n" + text;
}

}  // namespace

std::string to_markdown(const ProfileReport& report, const std::vector<ProfilePicture>& pictures) {
  std::string text = head_part(report);
  if (!report.entries.empty())
    text += time_part(report) + latency_part(report) + sweep_markdown(report) + graph_part(report) +
            providers_part(report) + kernels_part(report) + costs_part(report) + nodes_part(report);
  text += blames_part(report) + warnings_part(report);
  if (!pictures.empty()) text += "\n### Figures\n";
  for (const ProfilePicture& picture : pictures)
    text += "\n![" + markdown_text(picture.title) + "](<" + markdown_text(picture.file) + ">)\n";
  return text + "\nMade by\n\n" + shell_command(report.command, 4, 120) + "\n";
}

}  // namespace culprit
