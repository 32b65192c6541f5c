// What profile_json.cc writes, read back: the two files have the same functions in the same order.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "record/enum_names.h"
#include "record/environment.h"
#include "record/report_schema.h"
#include "record/warning.h"
#include "report/json_place.h"
#include "report/profile_json.h"

namespace culprit {
namespace {

constexpr std::string_view family = "culprit.profile/";

std::uint64_t bytes_at(const JsonPlace& place) { return static_cast<std::uint64_t>(place.count()); }
double number_at(const JsonPlace& place) { return place.number(); }
std::int64_t count_at(const JsonPlace& place) { return place.count(); }
std::string text_at(const JsonPlace& place) { return place.text(); }

/// A field that reports of earlier versions lack; null says the same.
template <class Read>
auto younger(const JsonPlace& place, const std::string& key, Read read) -> std::optional<decltype(read(place))> {
  if (!place.has(key)) return std::nullopt;
  return place.at(key).unless_null(read);
}

template <class Value, class Read>
std::map<std::string, Value> map_at(const JsonPlace& place, Read read) {
  std::map<std::string, Value> map;
  place.each_field([&](const std::string& key, const JsonPlace& value) { map[key] = read(value); });
  return map;
}

std::map<std::string, std::int64_t> counts_at(const JsonPlace& place) {
  return map_at<std::int64_t>(place, [](const JsonPlace& value) { return value.count(); });
}

/// Whole numbers, which may be negative.
std::map<std::string, std::int64_t> changes_at(const JsonPlace& place) {
  constexpr double most = 1e15;
  return map_at<std::int64_t>(place, [](const JsonPlace& value) {
    const double number = value.number();
    if (!(std::abs(number) <= most) || number != std::floor(number)) value.wrong("is no whole number");
    return static_cast<std::int64_t>(number);
  });
}

std::map<std::string, MetricRecord> metrics_at(const JsonPlace& place) {
  return map_at<MetricRecord>(place, [](const JsonPlace& metric) {
    return MetricRecord{metric.at("value").number(), metric.at("low").number(), metric.at("high").number()};
  });
}

SpeedVerdict verdict_at(const JsonPlace& place) {
  if (place.is_null()) return SpeedVerdict::not_measured;
  const std::string name = place.text();
  const auto verdict = speed_verdict_named(name);
  if (!verdict) place.wrong("is '" + printable(name, 60) + "', which is no verdict");
  return *verdict;
}

FailedAt place_at(const JsonPlace& place) {
  const std::string name = place.text_or_null();
  const auto failed_at = failed_at_named(name);
  if (!failed_at) place.wrong("is '" + printable(name, 60) + "', which is no place to fail at");
  return *failed_at;
}

std::vector<Warning> warnings_at(const JsonPlace& place) {
  return place.list([](const JsonPlace& warning) {
    return Warning{warning.at("code").text(), warning.at("message").text()};
  });
}

TimeRecord time_at(const JsonPlace& place) {
  if (place.is_null()) return {};
  return {place.at("median").number(), place.at("p10").number(), place.at("p90").number(), place.at("runs").count()};
}

LatencyRecord latency_at(const JsonPlace& place) {
  return {.fastest = place.at("min").number(),
          .p50 = place.at("p50").number(),
          .p95 = place.at("p95").number(),
          .p99 = place.at("p99").number(),
          .slowest = place.at("max").number(),
          .runs = place.at("runs").count()};
}

RatioRecord ratio_at(const JsonPlace& place) {
  if (place.is_null()) return {};
  return {place.at("value").number(), place.at("low").number(), place.at("high").number()};
}

GraphRecord graph_at(const JsonPlace& entry) {
  const JsonPlace graph = entry.at("graph");
  if (graph.is_null()) return {};
  return {.nodes = entry.at("nodes").count(),
          .ops = counts_at(entry.at("ops")),
          .providers = map_at<std::map<std::string, std::int64_t>>(graph.at("providers"), counts_at),
          .parameters = graph.at("parameters").count(),
          .flops = graph.at("flops").unless_null(number_at),
          .moved = graph.at("moved").unless_null(number_at),
          .nodes_uncounted = graph.at("nodes_uncounted").count(),
          .file_bytes = bytes_at(graph.at("file_bytes"))};
}

MemoryRecord memory_at(const JsonPlace& memory) {
  return {.start = bytes_at(memory.at("start")),
          .load_peak = bytes_at(memory.at("load_peak")),
          .run_peak = bytes_at(memory.at("run_peak")),
          .arena = memory.at("arena").unless_null(bytes_at),
          .planned = memory.at("planned").unless_null(bytes_at)};
}

NodeTimeRecord node_at(const JsonPlace& node) {
  for (const char* rate : {"flops_per_second", "bytes_per_second", "flops_per_byte"})
    (void)younger(node, rate, number_at);  // a number, which follows from the others
  return {.node = node.at("node").text(),
          .op = node.at("op").text(),
          .provider = node.at("provider").text(),
          .originals = node.at("originals").texts(),
          .seconds = node.at("seconds").number(),
          .share = node.at("share").number(),
          .flops = node.at("flops").unless_null(number_at),
          .moved = node.at("moved").unless_null(number_at),
          .baseline_seconds = younger(node, "baseline_seconds", number_at)};
}

NodeTimes node_times_at(const JsonPlace& times) {
  return {.nodes = times.at("nodes").list(node_at),
          .nodes_seconds = times.at("nodes_seconds").number(),
          .run_seconds = times.at("run_seconds").number(),
          .baseline_other_seconds = younger(times, "baseline_other_seconds", number_at),
          .left_out_seconds = younger(times, "left_out_seconds", number_at).value_or(0),
          .runs = times.at("runs").count(),
          .runs_dropped = younger(times, "runs_dropped", count_at).value_or(0),
          .waited_seconds = younger(times, "waited_seconds", number_at).value_or(0)};
}

Sampled sampled_at(const JsonPlace& sampled) { return {sampled.at("mean").number(), sampled.at("most").number()}; }

DeviceRecord device_at(const JsonPlace& device) {
  return {.name = device.at("name").text(),
          .source = device.at("source").text(),
          .utilization = device.at("utilization").unless_null(sampled_at),
          .memory = device.at("memory").unless_null(sampled_at),
          .power = device.at("power").unless_null(sampled_at),
          .temperature = device.at("temperature").unless_null(sampled_at),
          .clock = device.at("clock").unless_null(sampled_at),
          .joules_a_run = device.at("joules_a_run").unless_null(number_at),
          .readings = device.at("readings").count(),
          .joules_from = device.at("joules_from").text_or_null()};
}

KernelRecord kernel_at(const JsonPlace& kernel) {
  return {.name = kernel.at("name").text(),
          .calls = kernel.at("calls").count(),
          .block_size = kernel.at("block_size").number(),
          .grid_size = kernel.at("grid_size").number(),
          .sm_percent = kernel.at("sm_percent").number(),
          .memory_percent = kernel.at("memory_percent").number(),
          .seconds = kernel.at("seconds").number(),
          .occupancy_percent = kernel.at("occupancy_percent").unless_null(number_at)};
}

DecisionRecord quality_at(const JsonPlace& quality) {
  DecisionRecord record;
  record.task = quality.at("task").text();
  record.samples = quality.at("samples").count();
  record.changed = quality.at("changed").count();
  record.ties = quality.at("ties").count();
  record.metrics = metrics_at(quality.at("metrics"));
  if (const JsonPlace labels = quality.at("against_labels"); !labels.is_null()) {
    record.labelled = labels.at("labelled").count();
    record.reference_against_labels = metrics_at(labels.at("reference"));
    record.variant_against_labels = metrics_at(labels.at("variant"));
  }
  record.worst = quality.at("worst").list([](const JsonPlace& worst) {
    return WorstDecision{worst.at("number").count(), worst.at("reference").text(), worst.at("variant").text(),
                         worst.at("margin").number()};
  });
  return record;
}

ProfileEntry entry_at(const JsonPlace& entry) {
  const JsonPlace throughput = entry.at("throughput");
  return {.name = entry.at("name").text(),
          .model = entry.at("model").text(),
          .optimizer = entry.at("optimizer").text_or_null(),
          .recipe = entry.at("recipe").texts(),
          .disabled = entry.at("disabled").texts(),
          .level = entry.at("level").text(),
          .runtime = entry.at("runtime").text(),
          .provider = entry.at("provider").text(),
          .failure = entry.at("failure").text(),
          .failed_at = place_at(entry.at("failed_at")),
          .graph = graph_at(entry),
          .seconds = time_at(entry.at("seconds")),
          .ratio = ratio_at(entry.at("ratio")),
          .verdict = verdict_at(entry.at("verdict")),
          .baseline = static_cast<std::size_t>(entry.has("baseline") ? entry.at("baseline").count() : 0),
          .block_ratios = entry.at("block_ratios").list(number_at),
          .load = time_at(entry.at("load")),
          .optimizing = entry.at("optimizing").unless_null(number_at),
          .throughput = throughput.is_null() ? 0 : throughput.number(),
          .batch = younger(entry, "batch", count_at),
          .memory = entry.at("memory").unless_null(memory_at),
          .nodes = entry.at("node_times").unless_null(node_times_at),
          .devices = entry.at("devices").list(device_at),
          .kernels = entry.at("kernels").list(kernel_at),
          .quality = entry.at("quality").unless_null(quality_at),
          .warnings = warnings_at(entry.at("warnings")),
          .model_sha256 = younger(entry, "model_sha256", text_at).value_or(""),
          .latency = younger(entry, "latency", latency_at),
          .first_run = younger(entry, "first_run", time_at).value_or(TimeRecord())};
}

BlameAnswer answer_at(const JsonPlace& answer) {
  return {.steps = answer.at("steps").texts(),
          .ratio = ratio_at(answer.at("ratio")),
          .verdict = verdict_at(answer.at("verdict")),
          .seconds = answer.at("seconds").number()};
}

BlameRecord blame_at(const JsonPlace& blame) {
  BlameRecord record = {.entry = blame.at("entry").text(),
                        .asked = verdict_at(blame.at("asked")),
                        .steps = blame.at("steps").texts(),
                        .because = blame.at("because").text_or_null(),
                        .with = ratio_at(blame.at("with")),
                        .without = ratio_at(blame.at("without")),
                        .without_verdict = blame.at("without_verdict").unless_null(verdict_at),
                        .workaround = blame.at("workaround").text_or_null(),
                        .questions = blame.at("questions").count(),
                        .unsure = blame.at("unsure").count(),
                        .message = blame.at("message").text()};
  if (!blame.has("answers")) return record;  // older reports lack all of these
  record.answers = blame.at("answers").list(answer_at);
  record.open = blame.at("open").texts();
  record.seconds = blame.at("seconds").number();
  record.seconds_left = blame.at("seconds_left").number();
  record.ops_changed = changes_at(blame.at("ops_changed"));
  return record;
}

RegressionRecord regression_at(const JsonPlace& regression) {
  return {.entry = regression.at("entry").text(),
          .what = regression.at("what").text(),
          .metric = regression.at("metric").text_or_null(),
          .before = ratio_at(regression.at("before")),
          .now = ratio_at(regression.at("now")),
          .message = regression.at("message").text()};
}

MachineLimits limits_at(const JsonPlace& limits) {
  return {.flops = limits.at("flops_per_second").number(),
          .bandwidth = limits.at("bytes_per_second").number(),
          .threads = limits.at("threads").count(),
          .instructions = limits.at("instructions").text(),
          .buffer_bytes = bytes_at(limits.at("buffer_bytes")),
          .cache_bytes = bytes_at(limits.at("cache_bytes"))};
}

SweepPoint point_at(const JsonPlace& point) {
  return {.entry = point.at("entry").text(),
          .batch = point.at("batch").count(),
          .threads = point.at("threads").count(),
          .latency = point.at("latency").unless_null(latency_at),
          .samples_per_second = point.at("samples_per_second").unless_null(number_at).value_or(0),
          .failure = point.at("failure").text()};
}

SweepRecord sweep_at(const JsonPlace& sweep) {
  return {.settings = {sweep.at("batches").list(count_at), sweep.at("threads").list(count_at)},
          .points = sweep.at("points").list(point_at),
          .blocks = sweep.at("blocks").count()};
}

Environment environment_at(const JsonPlace& environment) {
  const JsonPlace tested = environment.at("optimizer");
  return {.onnx_optimizer = environment.at("onnx_optimizer").text(),
          .onnx = environment.at("onnx").text(),
          .onnxruntime = environment.at("onnxruntime").text(),
          .provider = environment.at("provider").text(),
          .cpu = environment.at("cpu").text(),
          .os = environment.at("os").text(),
          .threads = environment.at("threads").count(),
          .cores = environment.at("cores").count(),
          .optimizer = {tested.at("name").text(), tested.at("version").text(), tested.at("steps").texts()}};
}

/// Accepts the schema of a profile, and of a version that we know; else throws.
void check_schema(const JsonPlace& root) {
  const std::string schema = root.at("schema").text();
  if (schema == profile_schema) return;
  if (!schema.starts_with(family))
    root.wrong("has the schema '" + printable(schema, 60) + "', which is another kind of report");
  const std::string version = schema.substr(family.size());
  const bool is_version = !version.empty() && version.size() < 9 && version != "0" &&
                          version.find_first_not_of("0123456789") == std::string::npos;
  if (!is_version) root.wrong("has the schema '" + printable(schema, 60) + "', and there is no such version");
  root.wrong("was written by a newer culprit (schema '" + schema + "'; this one reads '" + std::string(profile_schema) +
             "')");
}

ProfileReport report_at(const JsonPlace& root) {
  check_schema(root);
  ProfileReport report = {.tool_version = root.at("tool").at("version").text(),
                          .command = root.at("command").texts(),
                          .environment = environment_at(root.at("environment")),
                          .protocol = root.at("protocol").text(),
                          .data = root.at("data").text(),
                          .samples = root.at("samples").count(),
                          .baseline = static_cast<std::size_t>(root.at("baseline").count()),
                          .entries = root.at("entries").list(entry_at),
                          .blames = root.at("blames").list(blame_at),
                          .warnings = warnings_at(root.at("warnings")),
                          .blocks = root.at("blocks").count(),
                          .looks = root.at("looks").count(),
                          .interrupted = root.at("interrupted").flag(),
                          .seconds = root.at("seconds").number(),
                          .peak_bytes = bytes_at(root.at("peak_bytes")),
                          .kept = root.at("kept").text_or_null(),
                          .regressions = root.at("regressions").list(regression_at)};
  if (root.has("quality_about")) report.quality_about = root.at("quality_about").texts();  // older reports lack it
  report.limits = younger(root, "limits", limits_at);
  report.sweep = younger(root, "sweep", sweep_at);
  if (report.baseline >= report.entries.size() && !(report.entries.empty() && report.baseline == 0))
    root.at("baseline")
        .wrong("is " + std::to_string(report.baseline) + ", and there are " + std::to_string(report.entries.size()) +
               " entries");
  return report;
}

}  // namespace

Result<ProfileReport> read_profile(std::string_view json, std::string_view what) {
  const std::string hint = "give a report.json that culprit profile wrote";
  const std::string file = printable(what);
  const ReadJson root = ReadJson::parse(json, nullptr, /*allow_exceptions=*/false);
  if (root.is_discarded())
    return fail(ErrorKind::bad_input, file + " is no JSON (" + human_bytes(json.size()) + ")", hint);
  try {
    return report_at(JsonPlace(root));
  } catch (const WrongJson& wrong) {
    return fail(ErrorKind::bad_input, file + " is no profile: " + wrong.what(), hint);
  }
}

}  // namespace culprit
