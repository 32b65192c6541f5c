#include "report/profile_json.h"

#include "record/report_schema.h"
#include "report/decisions_json.h"
#include "report/json_parts.h"
#include "report/node_rates.h"
#include "report/profile_parts.h"

namespace culprit {
namespace {

Json perhaps(const std::optional<double>& value) { return value ? number(*value) : Json(nullptr); }
Json perhaps(const std::optional<std::uint64_t>& value) { return value ? Json(*value) : Json(nullptr); }

Json json_of(const TimeRecord& time) {
  if (!is_there(time)) return nullptr;
  return {{"median", number(time.median)}, {"p10", number(time.p10)}, {"p90", number(time.p90)}, {"runs", time.runs}};
}

Json json_of(const std::optional<LatencyRecord>& latency) {
  if (!latency) return nullptr;
  return {{"min", number(latency->fastest)}, {"p50", number(latency->p50)},     {"p95", number(latency->p95)},
          {"p99", number(latency->p99)},     {"max", number(latency->slowest)}, {"runs", latency->runs}};
}

Json json_of(const RatioRecord& ratio) {
  if (!is_there(ratio)) return nullptr;
  return {{"value", number(ratio.value)}, {"low", number(ratio.low)}, {"high", number(ratio.high)}};
}

/// Writes null for a row that nobody timed, as all that was not measured.
Json json_of(SpeedVerdict verdict) {
  return verdict == SpeedVerdict::not_measured ? Json(nullptr) : Json(name_of(verdict));
}

Json graph_of(const GraphRecord& graph) {
  Json providers = Json::object();
  for (const auto& [provider, ops] : graph.providers) providers[provider] = object_of(ops);
  return {{"providers", std::move(providers)},
          {"parameters", graph.parameters},
          {"flops", perhaps(graph.flops)},
          {"moved", perhaps(graph.moved)},
          {"nodes_uncounted", graph.nodes_uncounted},
          {"file_bytes", graph.file_bytes}};
}

Json json_of(const std::optional<MemoryRecord>& memory) {
  if (!memory) return nullptr;
  return {{"start", memory->start},
          {"load_peak", memory->load_peak},
          {"run_peak", memory->run_peak},
          {"arena", perhaps(memory->arena)},
          {"planned", perhaps(memory->planned)}};
}

Json node_of(const NodeTimeRecord& node) {
  return {{"node", node.node},
          {"op", node.op},
          {"provider", node.provider},
          {"originals", node.originals},
          {"seconds", number(node.seconds)},
          {"share", number(node.share)},
          {"flops", perhaps(node.flops)},
          {"moved", perhaps(node.moved)},
          {"flops_per_second", perhaps(flops_per_second(node))},
          {"bytes_per_second", perhaps(bytes_per_second(node))},
          {"flops_per_byte", perhaps(flops_per_byte(node))},
          {"baseline_seconds", perhaps(node.baseline_seconds)}};
}

Json json_of(const std::optional<NodeTimes>& times) {
  if (!times) return nullptr;
  return {{"nodes_seconds", number(times->nodes_seconds)},
          {"run_seconds", number(times->run_seconds)},
          {"left_out_seconds", number(times->left_out_seconds)},
          {"baseline_other_seconds", perhaps(times->baseline_other_seconds)},
          {"runs", times->runs},
          {"runs_dropped", times->runs_dropped},
          {"waited_seconds", number(times->waited_seconds)},
          {"nodes", array_of(times->nodes, node_of)}};
}

Json json_of(const std::optional<Sampled>& sampled) {
  if (!sampled) return nullptr;
  return {{"mean", number(sampled->mean)}, {"most", number(sampled->most)}};
}

Json device_of(const DeviceRecord& device) {
  return {{"name", device.name},
          {"source", device.source},
          {"utilization", json_of(device.utilization)},
          {"memory", json_of(device.memory)},
          {"power", json_of(device.power)},
          {"temperature", json_of(device.temperature)},
          {"clock", json_of(device.clock)},
          {"joules_a_run", perhaps(device.joules_a_run)},
          {"joules_from", or_null(device.joules_from)},
          {"readings", device.readings}};
}

Json kernel_of(const KernelRecord& kernel) {
  return {{"name", kernel.name},
          {"calls", kernel.calls},
          {"block_size", number(kernel.block_size)},
          {"grid_size", number(kernel.grid_size)},
          {"sm_percent", number(kernel.sm_percent)},
          {"memory_percent", number(kernel.memory_percent)},
          {"occupancy_percent", perhaps(kernel.occupancy_percent)},
          {"seconds", number(kernel.seconds)}};
}

Json worst_of(const WorstDecision& worst) {
  return {{"number", worst.sample},
          {"reference", worst.reference},
          {"variant", worst.variant},
          {"margin", number(worst.margin)}};
}

Json quality_of(const std::optional<DecisionRecord>& quality) {
  if (!quality) return nullptr;
  const Json labels = {{"labelled", quality->labelled},
                       {"reference", metrics_of(quality->reference_against_labels)},
                       {"variant", metrics_of(quality->variant_against_labels)}};
  return {{"task", quality->task},
          {"samples", quality->samples},
          {"changed", quality->changed},
          {"ties", quality->ties},
          {"metrics", metrics_of(quality->metrics)},
          {"against_labels", quality->labelled > 0 ? labels : Json(nullptr)},
          {"worst", array_of(quality->worst, worst_of)}};
}

Json entry_of(const ProfileEntry& entry) {
  return {{"name", entry.name},
          {"model", entry.model},
          {"model_sha256", or_null(entry.model_sha256)},
          {"optimizer", or_null(entry.optimizer)},
          {"recipe", entry.recipe},
          {"disabled", entry.disabled},
          {"level", entry.level},
          {"runtime", entry.runtime},
          {"provider", entry.provider},
          {"baseline", entry.baseline},
          {"verdict", json_of(entry.verdict)},
          {"failed_at", or_null(std::string(name_of(entry.failed_at)))},
          {"failure", entry.failure},
          {"nodes", is_there(entry.graph) ? Json(entry.graph.nodes) : Json(nullptr)},
          {"ops", object_of(entry.graph.ops)},
          {"graph", is_there(entry.graph) ? graph_of(entry.graph) : Json(nullptr)},
          {"seconds", json_of(entry.seconds)},
          {"latency", json_of(entry.latency)},
          {"ratio", json_of(entry.ratio)},
          {"block_ratios", array_of(entry.block_ratios, number)},
          {"load", json_of(entry.load)},
          {"first_run", json_of(entry.first_run)},
          {"optimizing", perhaps(entry.optimizing)},
          {"throughput", is_there(entry.seconds) ? number(entry.throughput) : Json(nullptr)},
          {"batch", entry.batch ? Json(*entry.batch) : Json(nullptr)},
          {"memory", json_of(entry.memory)},
          {"node_times", json_of(entry.nodes)},
          {"devices", array_of(entry.devices, device_of)},
          {"kernels", array_of(entry.kernels, kernel_of)},
          {"quality", quality_of(entry.quality)},
          {"warnings", warnings_of(entry.warnings)}};
}

Json answer_of(const BlameAnswer& answer) {
  return {{"steps", answer.steps},
          {"ratio", json_of(answer.ratio)},
          {"verdict", json_of(answer.verdict)},
          {"seconds", number(answer.seconds)}};
}

Json blame_of(const BlameRecord& blame) {
  return {{"entry", blame.entry},
          {"asked", json_of(blame.asked)},
          {"steps", blame.steps},
          {"because", or_null(blame.because)},
          {"with", json_of(blame.with)},
          {"without", json_of(blame.without)},
          {"without_verdict", blame.without_verdict ? json_of(*blame.without_verdict) : Json(nullptr)},
          {"workaround", or_null(blame.workaround)},
          {"questions", blame.questions},
          {"unsure", blame.unsure},
          {"message", blame.message},
          {"answers", array_of(blame.answers, answer_of)},
          {"open", blame.open},
          {"seconds", number(blame.seconds)},
          {"seconds_left", number(blame.seconds_left)},
          {"ops_changed", object_of(blame.ops_changed)}};
}

Json regression_of(const RegressionRecord& regression) {
  return {{"entry", regression.entry},
          {"what", regression.what},
          {"metric", or_null(regression.metric)},
          {"before", json_of(regression.before)},
          {"now", json_of(regression.now)},
          {"message", regression.message}};
}

Json json_of(const std::optional<MachineLimits>& limits) {
  if (!limits) return nullptr;
  return {{"flops_per_second", number(limits->flops)},
          {"bytes_per_second", number(limits->bandwidth)},
          {"threads", limits->threads},
          {"instructions", limits->instructions},
          {"buffer_bytes", limits->buffer_bytes},
          {"cache_bytes", limits->cache_bytes}};
}

Json point_of(const SweepPoint& point) {
  return {{"entry", point.entry},
          {"batch", point.batch},
          {"threads", point.threads},
          {"latency", json_of(point.latency)},
          {"samples_per_second", point.latency ? number(point.samples_per_second) : Json(nullptr)},
          {"failure", point.failure}};
}

Json json_of(const std::optional<SweepRecord>& sweep) {
  if (!sweep) return nullptr;
  return {{"batches", sweep->settings.batches},
          {"threads", sweep->settings.threads},
          {"blocks", sweep->blocks},
          {"points", array_of(sweep->points, point_of)}};
}

}  // namespace

std::string to_json(const ProfileReport& report) {
  const Json root = {{"schema", profile_schema},
                     {"tool", {{"name", "culprit"}, {"version", report.tool_version}}},
                     {"command", report.command},
                     {"environment", tested_in(report.environment)},
                     {"protocol", report.protocol},
                     {"data", report.data},
                     {"samples", report.samples},
                     {"quality_about", report.quality_about},
                     {"baseline", report.baseline},
                     {"entries", array_of(report.entries, entry_of)},
                     {"blames", array_of(report.blames, blame_of)},
                     {"warnings", warnings_of(report.warnings)},
                     {"blocks", report.blocks},
                     {"looks", report.looks},
                     {"interrupted", report.interrupted},
                     {"seconds", number(report.seconds)},
                     {"peak_bytes", report.peak_bytes},
                     {"kept", or_null(report.kept)},
                     {"regressions", array_of(report.regressions, regression_of)},
                     {"limits", json_of(report.limits)},
                     {"sweep", json_of(report.sweep)}};
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace culprit
