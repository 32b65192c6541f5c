#include "report/profile_csv.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/text.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

constexpr std::string_view formula_starts = "=+-@\t\r";

/// In quotes where RFC 4180 asks for them. Newlines stay; what would steer a terminal does not.
std::string text_cell(const std::string& text) {
  std::string shown = printable(text, text.size() + 1, /*one_line=*/false);
  if (!shown.empty() && formula_starts.find(shown.front()) != std::string_view::npos) shown.insert(0, 1, '\'');
  if (shown.find_first_of(",\"\r\n") == std::string::npos) return shown;
  std::string quoted = "\"";
  for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::string number_cell(double value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return fmt::format("{}", value);
}

std::string cell(const std::optional<double>& value) { return value ? number_cell(*value) : ""; }
std::string cell(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : ""; }
std::string cell(std::int64_t value) { return std::to_string(value); }

using CsvRow = std::vector<std::pair<std::string_view, std::string>>;  ///< column, cell

void add(CsvRow& row, const TimeRecord& time, std::string_view median, std::string_view p10, std::string_view p90,
         std::string_view runs) {
  const bool there = is_there(time);
  row.insert(row.end(), {{median, there ? number_cell(time.median) : ""},
                         {p10, there ? number_cell(time.p10) : ""},
                         {p90, there ? number_cell(time.p90) : ""},
                         {runs, there ? cell(time.runs) : ""}});
}

void add_graph(CsvRow& row, const GraphRecord& graph) {
  const bool there = is_there(graph);
  row.insert(row.end(), {{"nodes", there ? cell(graph.nodes) : ""},
                         {"operator_types", there ? cell(static_cast<std::int64_t>(graph.ops.size())) : ""},
                         {"parameters", there ? cell(graph.parameters) : ""},
                         {"flops", cell(graph.flops)},
                         {"moved_bytes", cell(graph.moved)},
                         {"nodes_uncounted", there ? cell(graph.nodes_uncounted) : ""},
                         {"file_bytes", there ? std::to_string(graph.file_bytes) : ""}});
}

void add_memory(CsvRow& row, const std::optional<MemoryRecord>& memory) {
  using Bytes = std::optional<std::uint64_t>;
  row.insert(row.end(), {{"memory_start_bytes", cell(memory ? Bytes(memory->start) : std::nullopt)},
                         {"memory_load_peak_bytes", cell(memory ? Bytes(memory->load_peak) : std::nullopt)},
                         {"memory_run_peak_bytes", cell(memory ? Bytes(memory->run_peak) : std::nullopt)},
                         {"memory_arena_bytes", cell(memory ? memory->arena : std::nullopt)},
                         {"memory_planned_bytes", cell(memory ? memory->planned : std::nullopt)}});
}

void add_device(CsvRow& row, const std::vector<DeviceRecord>& devices) {
  const DeviceRecord device = devices.empty() ? DeviceRecord() : devices.front();
  const auto mean = [](const std::optional<Sampled>& sampled) { return sampled ? number_cell(sampled->mean) : ""; };
  const auto most = [](const std::optional<Sampled>& sampled) { return sampled ? number_cell(sampled->most) : ""; };
  row.insert(row.end(), {{"device", text_cell(device.name)},
                         {"device_utilization_percent", mean(device.utilization)},
                         {"device_memory_most_bytes", most(device.memory)},
                         {"device_power_watts", mean(device.power)},
                         {"device_temperature_celsius", mean(device.temperature)},
                         {"device_clock_mhz", mean(device.clock)},
                         {"device_joules_a_run", cell(device.joules_a_run)}});
}

std::string csv_metrics(const std::map<std::string, MetricRecord>& metrics) {
  std::vector<std::string> said;
  said.reserve(metrics.size());
  for (const auto& [name, metric] : metrics) said.push_back(name + "=" + number_cell(metric.value));
  return text_cell(join(said, ";"));
}

void add_quality(CsvRow& row, const std::optional<DecisionRecord>& quality) {
  const DecisionRecord record = quality.value_or(DecisionRecord());
  row.insert(row.end(), {{"quality_task", text_cell(record.task)},
                         {"quality_samples", quality ? cell(record.samples) : ""},
                         {"quality_changed", quality ? cell(record.changed) : ""},
                         {"quality_metrics", csv_metrics(record.metrics)},
                         {"quality_against_labels", csv_metrics(record.variant_against_labels)}});
}

CsvRow row_of(const ProfileEntry& entry) {
  const bool has_ratio = is_there(entry.ratio);
  CsvRow row = {{"entry", text_cell(entry.name)},
                {"model", text_cell(entry.model)},
                {"optimizer", text_cell(entry.optimizer)},
                {"recipe", text_cell(join(entry.recipe, ";"))},
                {"disabled", text_cell(join(entry.disabled, ";"))},
                {"level", text_cell(entry.level)},
                {"runtime", text_cell(entry.runtime)},
                {"provider", text_cell(entry.provider)},
                {"verdict", std::string(name_of(entry.verdict))},
                {"failed_at", text_cell(entry.failed_at)},
                {"failure", text_cell(entry.failure)},
                {"ratio", has_ratio ? number_cell(entry.ratio.value) : ""},
                {"ratio_low", has_ratio ? number_cell(entry.ratio.low) : ""},
                {"ratio_high", has_ratio ? number_cell(entry.ratio.high) : ""}};
  add(row, entry.seconds, "seconds_median", "seconds_p10", "seconds_p90", "runs");
  row.emplace_back("throughput_per_second", is_there(entry.seconds) ? number_cell(entry.throughput) : "");
  row.emplace_back("batch", entry.batch ? cell(*entry.batch) : "");
  add(row, entry.load, "load_seconds_median", "load_seconds_p10", "load_seconds_p90", "loads");
  row.emplace_back("optimizing_seconds", cell(entry.optimizing));
  add_graph(row, entry.graph);
  add_memory(row, entry.memory);
  add_device(row, entry.devices);
  add_quality(row, entry.quality);
  return row;
}

CsvRow row_of(const ProfileEntry& entry, const NodeTimeRecord& node) {
  return {{"entry", text_cell(entry.name)},
          {"model", text_cell(entry.model)},
          {"node", text_cell(node.node)},
          {"operator", text_cell(node.op)},
          {"provider", text_cell(node.provider)},
          {"seconds", number_cell(node.seconds)},
          {"share", number_cell(node.share)},
          {"baseline_seconds", cell(node.baseline_seconds)},
          {"flops", cell(node.flops)},
          {"moved_bytes", cell(node.moved)},
          {"originals", text_cell(join(node.originals, ";"))}};
}

std::string line_of(const CsvRow& row, bool is_header) {
  std::string line;
  for (const auto& [column, text] : row) {
    if (!line.empty() || column != row.front().first) line += ',';
    line += is_header ? std::string(column) : text;
  }
  return line + "\r\n";
}

}  // namespace

std::string to_csv(const ProfileReport& report) {
  std::string text = line_of(row_of(ProfileEntry()), /*is_header=*/true);
  for (const ProfileEntry& entry : report.entries) text += line_of(row_of(entry), false);
  return text;
}

std::string nodes_to_csv(const ProfileReport& report) {
  std::string text = line_of(row_of(ProfileEntry(), NodeTimeRecord()), /*is_header=*/true);
  for (const ProfileEntry& entry : report.entries)
    for (const NodeTimeRecord& node : entry.nodes.value_or(NodeTimes()).nodes)
      text += line_of(row_of(entry, node), false);
  return text;
}

std::string samples_to_csv(const ProfileReport& report) {
  std::string text = "entry,block,seconds\r\n";
  for (const ProfileEntry& entry : report.entries) {
    const std::string name = text_cell(entry.name);
    for (const BlockSamples& samples : entry.samples)
      for (const double seconds : samples.seconds)
        fmt::format_to(std::back_inserter(text), "{},{},{}\r\n", name, samples.block, number_cell(seconds));
  }
  return text;
}

}  // namespace culprit
