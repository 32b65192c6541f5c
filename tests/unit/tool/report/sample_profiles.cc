#include "sample_profiles.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "record/environment.h"
#include "support/not_numbers.h"

namespace culprit::testing {
namespace {

Environment environment() {
  return {.onnx_optimizer = "0.3.13",
          .onnx = "1.17.0",
          .onnxruntime = "1.22.1",
          .provider = "CPU",
          .cpu = "Example CPU @ 2.60GHz",
          .os = "Linux",
          .threads = 1,
          .cores = 2,
          .optimizer = {"onnxruntime", "1.22.1", {"ConvActivationFusion", "NchwcTransformer"}}};
}

ProfileEntry entry_of(const std::string& name, const std::string& level, double median, const RatioRecord& ratio,
                      SpeedVerdict verdict) {
  ProfileEntry entry;
  entry.name = name;
  entry.model = "models/ultraface.onnx";
  entry.model_sha256 = std::string(64, 'a');
  entry.level = level;
  entry.runtime = "1.22.1";
  entry.provider = "CPU";
  entry.seconds = {median, median * 0.97, median * 1.08, 240};
  entry.latency = LatencyRecord{median * 0.95, median, median * 1.15, median * 1.4, median * 3.2, 240};
  entry.first_run = {median * 2.5, median * 2.2, median * 4, 12};
  entry.ratio = ratio;
  entry.verdict = verdict;
  entry.block_ratios = {ratio.low, ratio.value, ratio.high};
  entry.load = {0.045, 0.044, 0.051, 12};
  entry.optimizing = 0.012;
  entry.throughput = 1 / median;
  entry.memory = MemoryRecord{30'000'000, 61'000'000, 74'500'000, 12'000'000, 7'340'032};
  entry.graph = {.nodes = 117,
                 .ops = {{"BatchNormalization", 36}, {"Conv", 40}, {"Relu", 33}, {"Reshape", 8}},
                 .providers = {{"CPUExecutionProvider", {{"BatchNormalization", 36}, {"Conv", 40}, {"Relu", 41}}}},
                 .parameters = 310'000,
                 .flops = 2.13e8,
                 .moved = 4.1e7,
                 .nodes_uncounted = 0,
                 .file_bytes = 1'270'747};
  return entry;
}

NodeTimeRecord node_of(const std::string& name, const std::string& op, double seconds, double share,
                       std::vector<std::string> originals, std::optional<double> baseline_seconds = std::nullopt) {
  return {.node = name,
          .op = op,
          .provider = "CPUExecutionProvider",
          .originals = std::move(originals),
          .seconds = seconds,
          .share = share,
          .flops = 1.2e7,
          .moved = op.find("Conv") != std::string::npos ? 1e6 : 2.4e7,
          .baseline_seconds = baseline_seconds};
}

NodeTimes times_before() {
  return {
      .nodes = {node_of("Conv_0", "Conv", 0.0041, 0.4, {"Conv_0"}),
                node_of("BN_1", "BatchNormalization", 0.0021, 0.2, {"BN_1"}),
                node_of("Conv_2", "Conv", 0.002, 0.2, {"Conv_2"}), node_of("Relu_3", "Relu", 0.001, 0.1, {"Relu_3"}),
                node_of("Relu_4", "Relu", 0.0006, 0.06, {"Relu_4"}),
                node_of("Reshape_5", "Reshape", 0.0002, 0.02, {"Reshape_5"}),
                node_of("Reshape_6", "Reshape", 0.0001, 0.01, {"Reshape_6"})},
      .nodes_seconds = 0.0101,
      .run_seconds = 0.0109,
      .left_out_seconds = 0.0007,
      .runs = 50};
}

NodeTimes times_after() {
  return {
      .nodes = {node_of("Conv_0_nchwc", "com.microsoft.nchwc.Conv", 0.0102, 0.85, {"Conv_0", "BN_1", "Relu_3"}, 0.0072),
                node_of("Conv_2_nchwc", "com.microsoft.nchwc.Conv", 0.0011, 0.1, {"Conv_2", "Relu_4"}, 0.0026),
                node_of("reorder_7", "com.microsoft.nchwc.ReorderInput", 0.0006, 0.05, {})},
      .nodes_seconds = 0.0119,
      .run_seconds = 0.0124,
      .left_out_seconds = 0.0004,
      .runs = 50};
}

DeviceRecord gpu(double utilization, double watts) {
  return {.name = "NVIDIA RTX A5000",
          .source = "NVML",
          .utilization = Sampled{utilization, std::min(100.0, utilization * 1.3)},
          .memory = Sampled{1.61e9, 1.67e9},
          .power = Sampled{watts, watts * 1.2},
          .temperature = Sampled{51, 54},
          .clock = Sampled{1695, 1740},
          .joules_a_run = 1.84,
          .readings = 1203};
}

DecisionRecord quality(std::int64_t changed) {
  DecisionRecord record;
  record.task = "classification";
  record.samples = record.labelled = 200;
  record.changed = changed;
  const double agreement = 1 - static_cast<double>(changed) / 200;
  record.metrics = {{"top1_agreement", {agreement, agreement - 0.02, 1}}};
  record.reference_against_labels = {{"top1", {0.71, 0.64, 0.77}}};
  record.variant_against_labels = {{"top1", {0.705, 0.637, 0.766}}};
  if (changed > 0) record.worst = {{17, "label 3", "label 8", 0.12}};
  return record;
}

ProfileEntry fails(const std::string& name) {
  ProfileEntry entry = entry_of(name, "extended", 1, {}, SpeedVerdict::failed);
  entry.failed_at = FailedAt::load;
  entry.failure = "making the session: INVALID_ARGUMENT: unsupported convolution activation mode Clip";
  entry.seconds = entry.load = entry.first_run = {};
  entry.latency = std::nullopt;
  entry.block_ratios = {};
  entry.throughput = 0;
  entry.optimizing = std::nullopt;
  entry.memory = std::nullopt;
  entry.graph.nodes = 85;
  entry.graph.ops = {{"Conv", 7}, {"Reshape", 8}, {"com.microsoft.FusedConv", 33}, {"BatchNormalization", 37}};
  entry.graph.providers = {};
  return entry;
}

ProfileEntry slower() {
  ProfileEntry entry = entry_of("all", "all", 0.0135, {1.24, 1.21, 1.27}, SpeedVerdict::slower);
  entry.graph.nodes = 64;
  entry.graph.ops = {
      {"Conv", 4}, {"Reshape", 8}, {"com.microsoft.nchwc.Conv", 36}, {"com.microsoft.nchwc.ReorderInput", 16}};
  entry.graph.providers = {{"CPUExecutionProvider", {{"com.microsoft.nchwc.Conv", 36}, {"Reshape", 8}}},
                           {"CUDAExecutionProvider", {{"Conv", 4}, {"com.microsoft.nchwc.ReorderInput", 16}}}};
  entry.memory->run_peak = 91'000'000;
  entry.nodes = times_after();
  entry.devices = {gpu(10.3, 96)};
  entry.kernels = {{"gemv2T_kernel_val", 12, 256, 32, 1.8, 1.6, 0.0021, 21.0},
                   {"bn_fw_inf", 36, 512, 3, 2.19, 2.2, 0.0004, std::nullopt}};
  entry.quality = quality(1);
  entry.warnings = {{"throttled", "the clock of the CPU fell by 12 % while this entry ran"}};
  return entry;
}

ProfileEntry ambiguous() {
  ProfileEntry entry = entry_of("fuse_bn", "off", 0.0105, {0.965, 0.931, 1.001}, SpeedVerdict::ambiguous);
  entry.optimizer = "onnx_optimizer";
  entry.recipe = {"fuse_bn_into_conv", "eliminate_identity"};
  entry.graph.nodes = 81;
  entry.graph.ops = {{"Conv", 40}, {"Relu", 33}, {"Reshape", 8}};
  return entry;
}

BlameRecord blame() {
  return {.entry = "all",
          .asked = SpeedVerdict::slower,
          .steps = {"NchwcTransformer"},
          .because = "constants_became_inputs",
          .with = {1.22, 1.19, 1.26},
          .without = {1.003, 0.991, 1.014},
          .without_verdict = SpeedVerdict::same,
          .workaround = "optimization.disable_specified_optimizers=NchwcTransformer",
          .questions = 9,
          .unsure = 1,
          .message = "NchwcTransformer makes it slower: its constants are inputs of the graph (IR 3)"};
}

/// The time was spent before it was known.
BlameRecord open_blame() {
  BlameRecord record{.entry = "fuse_bn",
                     .asked = SpeedVerdict::slower,
                     .steps = {},
                     .because = "",
                     .with = {},
                     .without = {},
                     .workaround = "",
                     .questions = 3,
                     .message = "the time was spent before a step was found: of 3 steps 2 are open"};
  record.answers = {{{"tidy", "slow_clip", "add_docs"}, {1.09, 1.08, 1.1}, SpeedVerdict::slower, 9.5},
                    {{}, {1.001, 0.99, 1.02}, SpeedVerdict::same, 14},
                    {{"tidy"}, {1.01, 0.9, 1.2}, SpeedVerdict::ambiguous, 3.5}};
  record.open = {"tidy", "slow_clip", "add_docs"};
  record.seconds = 27;
  record.seconds_left = 60;
  record.ops_changed = {{"Erf", 16}, {"Mul", -1}};
  return record;
}

/// More samples in a run take less time for each; with two threads the largest batch does not run.
SweepRecord sweep_of_two() {
  SweepRecord sweep{{{1, 4, 16}, {1, 2}}, {}, 10};
  for (const char* entry : {"off", "all"})
    for (const std::int64_t threads : {1, 2})
      for (const std::int64_t batch : {1, 4, 16}) {
        SweepPoint& point = sweep.points.emplace_back(SweepPoint{entry, batch, threads});
        if (threads == 2 && batch == 16) {
          point.failure = "Reshape: the input tensor cannot be reshaped to the requested shape";
          continue;
        }
        const double median = 0.002 * (1 + 0.6 * static_cast<double>(batch)) / static_cast<double>(threads);
        point.latency = LatencyRecord{median * 0.9, median, median * 1.2, median * 1.3, median * 2, 120};
        point.samples_per_second = static_cast<double>(batch) / median;
      }
  return sweep;
}

}  // namespace

ProfileReport levels_profile() {
  ProfileReport report;
  report.tool_version = "1.2";
  report.command = {"culprit", "profile", "models/ultraface.onnx", "--levels", "off,basic,extended,all"};
  report.environment = environment();
  report.protocol = "blocks";
  report.data = "3 samples made up, seed 0";
  report.quality_about = {"task classification: as the command says", "200 images in images"};
  report.samples = 3;
  ProfileEntry off = entry_of("off", "off", 0.0109, {1, 1, 1}, SpeedVerdict::baseline);
  off.nodes = times_before();
  off.devices = {gpu(97.3, 210)};
  off.kernels = {{"fft2d_r2c_32x32", 151, 512, 256, 60.7, 90.89, 0.0033, 86.0},
                 {"ampere_sgemm_128x128_nn", 40, 256, 900, 70.16, 93, 0.0051, 93.0}};
  off.quality = quality(0);
  ProfileEntry basic = entry_of("basic", "basic", 0.01085, {0.996, 0.988, 1.004}, SpeedVerdict::same);
  basic.graph.nodes = 81;
  basic.graph.ops = {{"Conv", 40}, {"Relu", 33}, {"Reshape", 8}};
  basic.quality = quality(0);
  basic.devices = {gpu(95, 205)};
  basic.batch = 8;
  report.entries = {off, basic, fails("extended"), slower(), ambiguous()};
  report.blames = {blame(), open_blame()};
  report.warnings = {{"unsteady_machine", "runs of the same model scatter by 14 %: something else uses the machine"},
                     {"no_ncu", "kernels were not counted: ncu is not installed"}};
  report.blocks = 12;
  report.looks = 1;
  report.seconds = 33.1;
  report.peak_bytes = 80'000'000;
  report.limits = MachineLimits{9.6e10, 1.1e10, 1, "AVX2", 545'259'520, 272'629'760};
  return report;
}

ProfileReport timed_profile() {
  ProfileReport report = levels_profile();
  for (ProfileEntry& entry : report.entries) {
    if (!entry.latency) continue;
    BlockSamples block{1, {}};
    for (int i = 0; i < 240; ++i) {  // most lie close together, and a few far out
      const double place = (i + 0.5) / 240;
      block.seconds.push_back(entry.seconds.median * (0.95 + 0.1 * place + 0.02 / (1.01 - place)));
    }
    entry.samples = {block};
  }
  report.sweep = sweep_of_two();
  return report;
}

ProfileReport single_profile() {
  ProfileReport report;
  report.tool_version = "1.2";
  report.command = {"culprit", "profile", "mnist-7.onnx"};
  report.environment = environment();
  report.protocol = "otx";
  report.data = "1 sample of test_data_set_0";
  report.samples = 1;
  ProfileEntry entry;
  entry.name = "all";
  entry.model = "mnist-7.onnx";
  entry.level = "all";
  entry.runtime = "1.22.1";
  entry.provider = "CPU";
  entry.seconds = {0.0000831, 0.00008, 0.000095, 10};
  entry.throughput = 1 / entry.seconds.median;
  entry.verdict = SpeedVerdict::baseline;
  report.entries = {entry};
  report.blocks = 1;
  report.seconds = 0.8;
  report.peak_bytes = 20'000'000;
  return report;
}

ProfileReport hostile_profile() {
  ProfileReport report = levels_profile();
  const std::string tag = "<script>alert(\"1\")</script>";
  const std::string long_name = std::string(190, 'n') + "_the_end__";
  report.data = "a|b `c` *d* @somebody #1 " + tag;
  report.quality_about = {"task <b>|x: @somebody `c`", "2 images in [x](y) " + tag};
  report.command.push_back("it's\nnew");
  report.entries[0].name = tag;
  report.entries[1].name = long_name;
  report.entries[1].model = "mod\"els/größe, 模型 & \x1b[31mred.onnx";
  report.entries[2].failure = "line one\nline two ]]> --> ``` " + tag;
  report.entries[3].name = "=HYPERLINK(\"x\"),;\xF0\x9F\x94\xA5";
  report.entries[3].graph.ops[tag] = 3;
  report.entries[3].graph.ops[long_name] = 5;
  report.entries[3].nodes->nodes[0].node = "a, \"b\"\nc\r\nd";
  report.entries[3].nodes->nodes[1].op = tag;
  report.entries[3].nodes->nodes[2].node = long_name;
  report.entries[3].devices[0].name = tag;
  report.entries[3].kernels[0].name = "void k<float, (int)128>(T*, const char|x)";
  report.entries[4].recipe = {"--> <b>", "x`y"};
  report.blames[0].entry = tag;
  report.blames[0].steps = {tag, long_name};
  report.blames[0].workaround = "`rm -rf`; a=\"b\"";
  report.warnings.push_back({"strange", "\xFF\xFE is no UTF-8; [x](javascript:alert(1)) " + long_name});
  return report;
}

ProfileReport crowded_profile() {
  ProfileReport report = levels_profile();
  report.blames.clear();
  report.entries.clear();
  for (int i = 0; i < 20; ++i) {
    const std::string model = i < 10 ? "candy-7" : "super-resolution-with-a-long-name-10";
    const double ratio = 0.3 * std::pow(1.25, i);
    ProfileEntry entry =
        entry_of(model + " " + std::to_string(i), i % 10 == 0 ? "off" : "all", 0.002 * (1 + i),
                 {ratio, ratio * 0.9, ratio * 1.13}, ratio < 0.9 ? SpeedVerdict::faster : SpeedVerdict::slower);
    entry.model = model + ".onnx";
    entry.baseline = i < 10 ? 0 : 10;
    entry.graph.nodes = 117 - 5 * i;
    entry.graph.ops = {{"Conv", 40 - i}, {"Relu", 3 * i}, {"Pad", 5}, {"Add", 6}, {"Mul", 4}, {"Clip", 2}, {"Cast", 1}};
    entry.nodes = i % 2 == 0 ? times_before() : times_after();
    for (NodeTimeRecord& node : entry.nodes->nodes) node.seconds *= 1 + i;
    entry.devices = {gpu(5.0 * i, 100), DeviceRecord()};
    entry.devices[1].name = "CPU package";
    entry.devices[1].source = "RAPL";
    entry.devices[1].power = Sampled{12.0 + i, 20};
    report.entries.push_back(entry);
  }
  for (const std::size_t i : {0, 10}) {
    report.entries[i].verdict = SpeedVerdict::baseline;
    report.entries[i].ratio = {1, 1, 1};
  }
  report.entries[1].graph.nodes = 131;
  report.entries[3].ratio = {nan, nan, nan};
  report.entries[3].seconds.median = nan;
  report.entries[4].ratio = {infinity, 0.5, infinity};
  report.entries[4].devices[0].utilization = Sampled{nan, nan};
  report.entries[5].graph.nodes = 0;
  report.entries[5].graph.ops.clear();
  report.entries[6].nodes->nodes[0].seconds = nan;
  report.entries[7].nodes->nodes.clear();
  report.entries[8] = fails("candy-7 8");
  report.entries[8].model = "candy-7.onnx";
  report.entries[9].graph.flops = infinity;
  report.entries[9].memory->run_peak = std::numeric_limits<std::int64_t>::max();
  report.entries[14].ratio = {1e9, 1e-9, 1e12};
  report.entries[15].ratio = {1.02, 0.999, 1.041};
  report.entries[15].verdict = SpeedVerdict::ambiguous;
  return report;
}

ProfileReport empty_profile() {
  ProfileReport report;
  report.tool_version = "1.2";
  report.command = {"culprit", "profile", "a.onnx"};
  report.environment = environment();
  report.protocol = "blocks";
  report.interrupted = true;
  return report;
}

}  // namespace culprit::testing
