#pragma once
// What `culprit profile` measured: the contents of a report of schema culprit.profile/1. One entry is one model as one
// optimizer and one level of the runtime make it; all entries are held against one of them, the baseline.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "record/decisions.h"
#include "record/environment.h"
#include "record/warning.h"

namespace culprit {

/// Without the ending that the runtime gives them: "CUDAExecutionProvider" -> "CUDA".
std::string_view short_provider(std::string_view provider);
/// "" means so, too.
inline bool runs_on_cpu(std::string_view provider) { return provider.empty() || provider == "CPU"; }
/// Does it run on NVIDIA's cards, as "CUDA" and "Tensorrt" do? Then NVML and ncu tell something.
inline bool runs_on_nvidia(std::string_view provider) {
  return provider == "CUDA" || provider.find("Tensor") != std::string_view::npos;
}

/// How long a thing took, over all its runs, in seconds. Nothing is left out.
struct TimeRecord {
  double median = 0, p10 = 0, p90 = 0;
  std::int64_t runs = 0;
  bool operator==(const TimeRecord&) const = default;
};

/// How the times of single runs spread, in seconds: of all runs that count, whatever sample they ran. Percentiles are
/// exact, for no run is left out; of fewer than 100 runs p99 lies between the two slowest.
struct LatencyRecord {
  double fastest = 0, p50 = 0, p95 = 0, p99 = 0, slowest = 0;
  std::int64_t runs = 0;
  bool operator==(const LatencyRecord&) const = default;
};

/// The runs that count of one block, in their order.
struct BlockSamples {
  std::int64_t block = 0;  ///< number, from 1; rows of the same one ran in the same moment
  std::vector<double> seconds;
  bool operator==(const BlockSamples&) const = default;
};

/// How far from 1 a ratio may be and still be called the same.
inline constexpr double same_within = 0.03;

/// The fewest blocks with which there is a verdict: with less there is no interval at 95 %, and so no verdict
/// (statistics/signed_rank.h).
inline constexpr int least_blocks = 6;

/// Seconds of the entry over those of the baseline: 2 is twice as slow. 95 % confidence.
struct RatioRecord {
  double value = 1, low = 0, high = 0;
  bool operator==(const RatioRecord&) const = default;
};

/// Is anything known of where the ratio lies? Not with fewer than `least_blocks`, nor where nobody measured.
bool has_interval(const RatioRecord& ratio);

enum class SpeedVerdict {
  baseline,      ///< the others are held against this one
  same,          ///< the interval lies within 3 % of 1
  slower,        ///< wholly beyond it
  faster,        ///< wholly below it
  ambiguous,     ///< neither: more blocks would tell
  failed,        ///< it does not load, or does not run
  not_measured,  ///< nobody timed it: the run was interrupted, or its time was spent, before its first block
};
inline bool is_unsure(SpeedVerdict verdict) {
  return verdict == SpeedVerdict::ambiguous || verdict == SpeedVerdict::not_measured;
}
/// The step at which a row failed: its model was made, loaded, or run.
enum class FailedAt { nowhere, make, load, run };
std::string_view name_of(FailedAt place);  ///< "" for `nowhere`
std::optional<FailedAt> failed_at_named(std::string_view name);

std::string_view name_of(SpeedVerdict verdict);
std::optional<SpeedVerdict> speed_verdict_named(std::string_view name);

/// A graph in numbers. Of what is not known, such as shapes that no inference tells, there is nothing.
struct GraphRecord {
  std::int64_t nodes = 0;                                                ///< subgraphs included
  std::map<std::string, std::int64_t> ops;                               ///< by type: "Conv", "com.microsoft.FusedConv"
  std::map<std::string, std::map<std::string, std::int64_t>> providers;  ///< by provider, by type; {} where nobody ran
  std::int64_t parameters = 0;       ///< elements of initializers and of Constant nodes with floats
  std::optional<double> flops;       ///< of one run; one multiply-add is 2 (docs/graph_costs.md)
  std::optional<double> moved;       ///< bytes that nodes read and write in one run, each node for itself
  std::int64_t nodes_uncounted = 0;  ///< whose cost is not known, so that `flops` and `moved` lack theirs
  std::uint64_t file_bytes = 0;      ///< with external data
  bool operator==(const GraphRecord&) const = default;
};

/// Resident sizes are of the whole process, in bytes; `start` is what it had before the model was loaded, and
/// `run_peak` is without the sample that it ran.
struct MemoryRecord {
  std::uint64_t start = 0, load_peak = 0, run_peak = 0;
  std::optional<std::uint64_t> arena;    ///< what the runtime's own allocator held at most; absent where it cannot tell
  std::optional<std::uint64_t> planned;  ///< the least that values alive at once need, from the graph alone
  bool operator==(const MemoryRecord&) const = default;
};

/// One node as the runtime ran it.
struct NodeTimeRecord {
  std::string node, op, provider;      ///< its name, its type, "CPUExecutionProvider"
  std::vector<std::string> originals;  ///< nodes of the given model that it does the work of
  double seconds = 0;                  ///< the median over runs, of one run (all calls in it)
  double share = 0;                    ///< of all nodes' seconds
  std::optional<double> flops, moved;
  bool is_inserted = false;  ///< changes layout, type or place for `originals`, and does nothing of their work
  std::optional<double> baseline_seconds = {};  ///< that the baseline took for the same work, each of
                                                ///< its nodes counted once in an entry; absent: cannot be told, or
                                                ///< another node of the same work has it
  bool operator==(const NodeTimeRecord&) const = default;
};

struct NodeTimes {
  std::vector<NodeTimeRecord> nodes;  ///< the slowest first
  double nodes_seconds = 0;           ///< of all nodes, of one run
  double run_seconds = 0;             ///< of the run that they are part of, as the runtime's profile tells it
  /// The time of the baseline's nodes that is in no node's `baseline_seconds`: nobody does their work here any more, or
  /// it is done with other work beside. Absent where the baseline's nodes are of another model or unknown.
  std::optional<double> baseline_other_seconds = {};
  double left_out_seconds = 0;  ///< of that, what the profile gives to no node: the runtime's own work, and telling
  std::int64_t runs = 0;
  std::int64_t runs_dropped = 0;  ///< because they waited for a CPU that other programs held
  /// That a run waited nevertheless, because too few did not wait: it is in its time, and in that of its nodes. The
  /// median over the runs that count.
  double waited_seconds = 0;
  bool operator==(const NodeTimes&) const = default;
};

/// Mean and most of a quantity that was sampled while runs went on.
struct Sampled {
  double mean = 0, most = 0;
  bool operator==(const Sampled&) const = default;
};

/// What a device did meanwhile. What could not be read is absent.
struct DeviceRecord {
  std::string name;                    ///< "NVIDIA H100", "CPU package"
  std::string source;                  ///< "NVML", "RAPL"
  std::optional<Sampled> utilization;  ///< percent
  std::optional<Sampled> memory;       ///< bytes in use
  std::optional<Sampled> power;        ///< watts
  std::optional<Sampled> temperature;  ///< degrees Celsius
  std::optional<Sampled> clock;        ///< MHz
  std::optional<double> joules_a_run;  ///< energy for one inference
  std::int64_t readings = 0;           ///< each 10 ms
  std::string joules_from = {};        ///< "counter" of energy, "power" over time; "" where `joules_a_run` is absent
  bool operator==(const DeviceRecord&) const = default;
};

/// One kernel of the device, over the runs that `ncu` looked at (OTX, table 2).
struct KernelRecord {
  std::string name;
  std::int64_t calls = 0;
  double block_size = 0, grid_size = 0;       ///< threads; blocks
  double sm_percent = 0, memory_percent = 0;  ///< throughput, of the most that is possible
  double seconds = 0;
  std::optional<double> occupancy_percent = {};  ///< warps at work on an SM, of the most that it can hold
  bool operator==(const KernelRecord&) const = default;
};

struct ProfileEntry {
  std::string name;                   ///< short and unlike all others: "all", "candy-7 extended", "1.22.1"
  std::string model;                  ///< path as given
  std::string optimizer;              ///< "" none, else as of Recipe
  std::vector<std::string> recipe;    ///< steps that ran; empty: all of the level, or none
  std::vector<std::string> disabled;  ///< steps of the level that were left out
  std::string level;                  ///< of the runtime: "off", "all"
  std::string runtime;                ///< its version
  std::string provider;               ///< of the session: "CPU", "CUDA"; what that does not know runs on the CPU
  std::string failure;  ///< "" or in one line where and why it failed; what was measured before that stands
  FailedAt failed_at = FailedAt::nowhere;
  GraphRecord graph;
  TimeRecord seconds;
  RatioRecord ratio;  ///< to the baseline
  SpeedVerdict verdict = SpeedVerdict::not_measured;
  std::size_t baseline = 0;                ///< index of the entry that it is held against; of a baseline its own
  std::vector<double> block_ratios = {};   ///< one for each block of runs, in their order: what `ratio` rests on
  std::vector<BlockSamples> samples = {};  ///< what `seconds` and the ratios are made of; in samples.csv only
  TimeRecord load;                         ///< of making the session, with what the runtime optimizes meanwhile
  std::optional<double> optimizing;        ///< of that, or of the optimizer's own process: seconds of optimizing
  double throughput = 0;                   ///< runs a second, one after the other: 1 / median
  std::optional<std::int64_t> batch = {};  ///< samples in one run, where an open dimension of the inputs tells
  std::optional<MemoryRecord> memory;
  std::optional<NodeTimes> nodes;
  std::vector<DeviceRecord> devices;
  std::vector<KernelRecord> kernels;
  std::optional<DecisionRecord> quality;  ///< against the baseline's decisions, and against labels
  std::vector<Warning> warnings;
  std::string model_sha256 = {};              ///< of the file at `model`; "" where the report is of before it was told
  std::optional<LatencyRecord> latency = {};  ///< absent where nobody ran it, or the report is of before it was told
  TimeRecord first_run = {};                  ///< of a session, one in each block: what `seconds` leaves out
  bool operator==(const ProfileEntry&) const = default;
};

/// What was measured of some steps alone, against the baseline.
struct BlameAnswer {
  std::vector<std::string> steps;  ///< in their order; empty: none
  RatioRecord ratio;
  SpeedVerdict verdict = SpeedVerdict::ambiguous;
  double seconds = 0;  ///< that it took; 0: the same graph had been measured before
  bool operator==(const BlameAnswer&) const = default;
};

/// What a search for the step that makes a model slower (or faster) found.
struct BlameRecord {
  std::string entry;  ///< its name
  SpeedVerdict asked = SpeedVerdict::slower;
  std::vector<std::string> steps;                    ///< that do it together; empty: none was found, `message` says why
  std::string because;                               ///< "" or a known cause: "constants_became_inputs"
  RatioRecord with, without;                         ///< of these steps alone to none, and of all but these to none
  std::optional<SpeedVerdict> without_verdict = {};  ///< absent where `without` was not measured
  std::string workaround;                            ///< what to set so that they are left out; "" where there is none
  std::int64_t questions = 0, unsure = 0;
  std::string message;                    ///< one line for people
  std::vector<BlameAnswer> answers = {};  ///< to all questions, in their order
  /// The time was spent, and nobody knows yet which of these steps do it, or whether they do; empty: all is known.
  std::vector<std::string> open = {};
  double seconds = 0;       ///< of measuring
  double seconds_left = 0;  ///< about, at most, that the rest of the search takes where one step does it; 0: none
  /// By operator type, how many nodes more (or fewer) the optimizer's file has without any step than the model. Told
  /// where no step is needed.
  std::map<std::string, std::int64_t> ops_changed = {};
  bool operator==(const BlameRecord&) const = default;
};

/// A row that is worse than it was in a kept profile, beyond what chance explains.
struct RegressionRecord {
  std::string entry;   ///< its name in both
  std::string what;    ///< "failed", "time", "memory", "quality"
  std::string metric;  ///< of quality: "top1_agreement"; else ""
  RatioRecord before;  ///< time: the ratio to the baseline; quality: the metric; memory: bytes, without an interval
  RatioRecord now;
  std::string message;  ///< one line for people
  bool operator==(const RegressionRecord&) const = default;
};

/// What the CPUs can do at most, with so many threads (device/machine_limits.h).
struct MachineLimits {
  double flops = 0;      ///< a second, on float32
  double bandwidth = 0;  ///< bytes a second, from memory and to it
  std::int64_t threads = 1;
  std::string instructions;        ///< that `flops` was measured with: "AVX-512"
  std::uint64_t buffer_bytes = 0;  ///< that `bandwidth` was measured over
  std::uint64_t cache_bytes = 0;   ///< the largest cache; 0: the system does not tell
  bool operator==(const MachineLimits&) const = default;
};

/// What --sweep asks for: all combinations. Empty: each row as it is.
struct SweepSettings {
  std::vector<std::int64_t> batches, threads;
  [[nodiscard]] bool empty() const { return batches.empty() && threads.empty(); }
  bool operator==(const SweepSettings&) const = default;
};

/// One row at one batch and one number of threads.
struct SweepPoint {
  std::string entry;  ///< its name
  std::int64_t batch = 1, threads = 1;
  std::optional<LatencyRecord> latency = {};  ///< of single runs; absent where it failed, or nobody measured it
  double samples_per_second = 0;              ///< batch / median
  std::string failure = {};                   ///< "" or in one line why it failed
  bool operator==(const SweepPoint&) const = default;
};

struct SweepRecord {
  SweepSettings settings;
  std::vector<SweepPoint> points;  ///< by entry, threads, batch
  std::int64_t blocks = 0;
  bool operator==(const SweepRecord&) const = default;
};

struct ProfileReport {
  std::string tool_version;
  std::vector<std::string> command;
  Environment environment;
  std::string protocol;  ///< "blocks", "otx"
  std::string data;      ///< what the samples are, one line
  std::int64_t samples = 0;
  /// On what the rows decided, and what was read off their outputs, a line each; none: nobody asked, or nobody could
  /// tell.
  std::vector<std::string> quality_about = {};
  std::size_t baseline = 0;  ///< index into entries; where models have baselines of their own, the first one
  std::vector<ProfileEntry> entries;
  std::vector<BlameRecord> blames;
  std::vector<Warning> warnings;  ///< an unsteady machine, what could not be read and why
  std::int64_t blocks = 0, looks = 0;
  bool interrupted = false;  ///< not all was measured
  double seconds = 0;
  std::uint64_t peak_bytes = 0;
  std::string kept;                           ///< the file of --baseline; "": none
  std::vector<RegressionRecord> regressions;  ///< against it
  std::optional<MachineLimits> limits = {};   ///< absent where no node on the CPU was timed, or nobody could tell
  std::optional<SweepRecord> sweep = {};      ///< absent where nobody asked
};

}  // namespace culprit
