#include "profile/measured_nodes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "base/text.h"
#include "model/external_data.h"
#include "profile/nodes/quiet_runs.h"

namespace culprit {
namespace {

constexpr std::int64_t warm_up = 2, least_node_runs = 5, most_runs = 50;
constexpr double seconds_of_all_nodes = 2;

std::int64_t runs_for(double seconds_of_run) {
  if (seconds_of_run <= 0) return least_node_runs;
  return std::clamp(static_cast<std::int64_t>(std::ceil(seconds_of_all_nodes / seconds_of_run)), least_node_runs,
                    most_runs);
}

/// What one session with a profile did.
struct TracedRuns {
  std::filesystem::path profile;
  QuietRuns quiet;
};

tl::unexpected<Error> runs_failed(const Failure& failure) {
  if (failure.skipped) return ended_early();
  return fail(failure.machine ? ErrorKind::io : ErrorKind::bad_input,
              "with the runtime's profile on it fails: " + printable(failure.message, 300));
}

/// The runtime writes no more than a million events.
std::int64_t most_runs_in_profile(std::size_t nodes) {
  constexpr std::int64_t events = 900'000, of_a_run = 4;
  return std::max(least_node_runs, events / (static_cast<std::int64_t>(nodes) + of_a_run) - warm_up);
}

Result<TracedRuns> trace_runs(MeasuringBlocks& blocks, const NodesToMeasure& what) {
  constexpr std::int64_t most_times = 4;
  MeasuredModel model = what.measured;
  model.job.session.profile_to = what.folder / "trace";
  const auto block = blocks.open({std::move(model)});
  if (const Loaded loaded = block->load(0); loaded.failure.failed()) return runs_failed(loaded.failure);
  if (const Turn warm = block->run(0, warm_up); warm.failure.failed()) return runs_failed(warm.failure);
  const std::int64_t at_once = std::min(runs_for(what.seconds_of_run), most_runs_in_profile(what.costs.size()));
  const std::int64_t most = std::min(most_times * at_once, most_runs_in_profile(what.costs.size()));
  std::vector<double> seconds, waited;
  TracedRuns traced;
  while (traced.quiet.quiet < least_node_runs && static_cast<std::int64_t>(seconds.size()) + at_once <= most) {
    const Turn turn = block->run(0, at_once);
    if (turn.failure.failed()) return runs_failed(turn.failure);
    seconds.insert(seconds.end(), turn.seconds.begin(), turn.seconds.end());
    waited.insert(waited.end(), turn.waited.begin(), turn.waited.end());
    traced.quiet = quiet_runs(seconds, waited, least_node_runs);
  }
  auto file = block->end_profile(0);
  if (!file) return tl::unexpected(file.error());
  traced.profile = std::move(*file);
  return traced;
}

}  // namespace

std::int64_t traced_runs(double seconds_of_run) { return warm_up + runs_for(seconds_of_run); }

Result<MeasuredNodes> measure_nodes(MeasuringBlocks& blocks, const NodesToMeasure& what) {
  if (what.given.proto == nullptr) return fail(ErrorKind::unsupported, "nodes are timed of ONNX models only");
  const auto traced = trace_runs(blocks, what);
  if (!traced) return tl::unexpected(traced.error());
  auto trace = read_runtime_trace(traced->profile, warm_up, traced->quiet.keep);
  if (!trace) return tl::unexpected(trace.error());
  const FlatModel original(*what.given.proto);
  std::optional<Model> as_run;
  if (!what.as_run.empty()) {
    auto loaded = load_model_apart(what.as_run, what.data_folder);
    if (!loaded) return tl::unexpected(loaded.error());
    as_run = std::move(*loaded);
  }
  const FlatModel optimized(as_run ? *as_run->proto : *what.given.proto);
  auto nodes = mapped_nodes(*trace, original, optimized, what.costs);
  MeasuredNodes measured{node_times(*trace, nodes), {}};
  measured.times.runs_dropped = std::ranges::count(traced->quiet.keep, false);
  measured.times.waited_seconds = traced->quiet.waited_seconds;
  measured.thread.trace = std::move(*trace);
  measured.thread.nodes = std::move(nodes);
  return measured;
}

}  // namespace culprit
