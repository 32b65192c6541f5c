#include "profile/measured_nodes.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "executor/run_all.h"
#include "model/external_data.h"

namespace culprit {
namespace {

constexpr std::int64_t warm_up = 2, least_node_runs = 5, most_runs = 50;
constexpr double seconds_of_all_nodes = 2;

std::int64_t runs_for(double seconds_of_run) {
  if (seconds_of_run <= 0) return least_node_runs;
  return std::clamp(static_cast<std::int64_t>(std::ceil(seconds_of_all_nodes / seconds_of_run)), least_node_runs,
                    most_runs);
}

/// The same samples again and again.
std::vector<std::filesystem::path> repeated(const std::vector<std::filesystem::path>& samples, std::int64_t runs) {
  std::vector<std::filesystem::path> all;
  for (std::int64_t i = 0; i < runs; ++i) all.push_back(samples[static_cast<std::size_t>(i) % samples.size()]);
  return all;
}

}  // namespace

std::int64_t traced_runs(double seconds_of_run) { return warm_up + runs_for(seconds_of_run); }

Result<MeasuredNodes> measure_nodes(Executor& executor, const NodesToMeasure& what) {
  RunJob job = what.job;
  job.session.profile_to = what.folder / "trace";
  job.samples = repeated(what.job.samples, traced_runs(what.seconds_of_run));
  job.fresh_process = true;
  const auto outcomes = run_all(executor, {std::move(job)});
  if (!outcomes) return tl::unexpected(outcomes.error());
  const RunOutcome& outcome = outcomes->front();
  if (outcome.failure.failed() || outcome.profile.empty())
    return fail(ErrorKind::bad_input, "with the runtime's profile on " + how_it_ended(outcome));
  auto trace = read_runtime_trace(outcome.profile, warm_up);
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
  measured.thread.trace = std::move(*trace);
  measured.thread.nodes = std::move(nodes);
  return measured;
}

}  // namespace culprit
