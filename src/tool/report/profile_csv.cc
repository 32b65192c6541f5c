#include "report/profile_csv.h"

#include <fmt/format.h>

#include <iterator>

#include "base/text.h"
#include "report/csv_cells.h"
#include "report/node_rates.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

std::string cell(const std::optional<double>& value) { return value ? csv_number(*value) : ""; }
std::string cell(const std::optional<std::uint64_t>& value) { return value ? std::to_string(*value) : ""; }
std::string cell(std::int64_t value) { return std::to_string(value); }

using CsvRow = std::vector<std::pair<std::string_view, std::string>>;  ///< column, cell

void add(CsvRow& row, const TimeRecord& time, std::string_view median, std::string_view p10, std::string_view p90,
         std::string_view runs) {
  const bool there = is_there(time);
  row.insert(row.end(), {{median, there ? csv_number(time.median) : ""},
                         {p10, there ? csv_number(time.p10) : ""},
                         {p90, there ? csv_number(time.p90) : ""},
                         {runs, there ? cell(time.runs) : ""}});
}

void add(CsvRow& row, const std::optional<LatencyRecord>& latency) {
  const auto field = [&](double LatencyRecord::*which) { return latency ? csv_number((*latency).*which) : ""; };
  row.insert(row.end(), {{"seconds_min", field(&LatencyRecord::fastest)},
                         {"seconds_p95", field(&LatencyRecord::p95)},
                         {"seconds_p99", field(&LatencyRecord::p99)},
                         {"seconds_max", field(&LatencyRecord::slowest)}});
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
  const auto mean = [](const std::optional<Sampled>& sampled) { return sampled ? csv_number(sampled->mean) : ""; };
  const auto most = [](const std::optional<Sampled>& sampled) { return sampled ? csv_number(sampled->most) : ""; };
  row.insert(row.end(), {{"device", csv_text(device.name)},
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
  for (const auto& [name, metric] : metrics) said.push_back(name + "=" + csv_number(metric.value));
  return csv_text(join(said, ";"));
}

void add_quality(CsvRow& row, const std::optional<DecisionRecord>& quality) {
  const DecisionRecord record = quality.value_or(DecisionRecord());
  row.insert(row.end(), {{"quality_task", csv_text(record.task)},
                         {"quality_samples", quality ? cell(record.samples) : ""},
                         {"quality_changed", quality ? cell(record.changed) : ""},
                         {"quality_metrics", csv_metrics(record.metrics)},
                         {"quality_against_labels", csv_metrics(record.variant_against_labels)}});
}

CsvRow row_of(const ProfileEntry& entry) {
  const bool has_ratio = is_there(entry.ratio);
  CsvRow row = {{"entry", csv_text(entry.name)},
                {"model", csv_text(entry.model)},
                {"optimizer", csv_text(entry.optimizer)},
                {"recipe", csv_text(join(entry.recipe, ";"))},
                {"disabled", csv_text(join(entry.disabled, ";"))},
                {"level", csv_text(entry.level)},
                {"runtime", csv_text(entry.runtime)},
                {"provider", csv_text(entry.provider)},
                {"verdict", std::string(name_of(entry.verdict))},
                {"failed_at", csv_text(std::string(name_of(entry.failed_at)))},
                {"failure", csv_text(entry.failure)},
                {"ratio", has_ratio ? csv_number(entry.ratio.value) : ""},
                {"ratio_low", has_ratio ? csv_number(entry.ratio.low) : ""},
                {"ratio_high", has_ratio ? csv_number(entry.ratio.high) : ""}};
  add(row, entry.seconds, "seconds_median", "seconds_p10", "seconds_p90", "runs");
  row.emplace_back("throughput_per_second", is_there(entry.seconds) ? csv_number(entry.throughput) : "");
  row.emplace_back("batch", entry.batch ? cell(*entry.batch) : "");
  add(row, entry.load, "load_seconds_median", "load_seconds_p10", "load_seconds_p90", "loads");
  row.emplace_back("optimizing_seconds", cell(entry.optimizing));
  add_graph(row, entry.graph);
  add_memory(row, entry.memory);
  add_device(row, entry.devices);
  add_quality(row, entry.quality);
  add(row, entry.latency);
  add(row, entry.first_run, "first_run_seconds_median", "first_run_seconds_p10", "first_run_seconds_p90", "first_runs");
  return row;
}

CsvRow row_of(const ProfileEntry& entry, const NodeTimeRecord& node) {
  return {{"entry", csv_text(entry.name)},
          {"model", csv_text(entry.model)},
          {"node", csv_text(node.node)},
          {"operator", csv_text(node.op)},
          {"provider", csv_text(node.provider)},
          {"seconds", csv_number(node.seconds)},
          {"share", csv_number(node.share)},
          {"baseline_seconds", cell(node.baseline_seconds)},
          {"flops", cell(node.flops)},
          {"moved_bytes", cell(node.moved)},
          {"originals", csv_text(join(node.originals, ";"))},
          {"flops_per_second", cell(flops_per_second(node))},
          {"bytes_per_second", cell(bytes_per_second(node))},
          {"flops_per_byte", cell(flops_per_byte(node))}};
}

CsvRow row_of(const SweepPoint& point) {
  CsvRow row = {{"entry", csv_text(point.entry)}, {"batch", cell(point.batch)}, {"threads", cell(point.threads)}};
  row.emplace_back("seconds_p50", point.latency ? csv_number(point.latency->p50) : "");
  add(row, point.latency);
  row.emplace_back("runs", point.latency ? cell(point.latency->runs) : "");
  row.emplace_back("samples_per_second", point.latency ? csv_number(point.samples_per_second) : "");
  row.emplace_back("failure", csv_text(point.failure));
  return row;
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

std::string sweep_to_csv(const SweepRecord& sweep) {
  std::string text = line_of(row_of(SweepPoint()), /*is_header=*/true);
  for (const SweepPoint& point : sweep.points) text += line_of(row_of(point), false);
  return text;
}

std::string samples_to_csv(const ProfileReport& report) {
  std::string text = "entry,block,seconds\r\n";
  for (const ProfileEntry& entry : report.entries) {
    const std::string name = csv_text(entry.name);
    for (const BlockSamples& samples : entry.samples)
      for (const double seconds : samples.seconds)
        fmt::format_to(std::back_inserter(text), "{},{},{}\r\n", name, samples.block, csv_number(seconds));
  }
  return text;
}

}  // namespace culprit
