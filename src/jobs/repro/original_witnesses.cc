#include "repro/original_witnesses.h"

#include <algorithm>
#include <system_error>

#include "executor/run_all.h"
#include "model/seeded_nodes.h"

namespace culprit {
namespace {

namespace fs = std::filesystem;

constexpr double most_evaluator_seconds = 60;
constexpr std::uint64_t most_evaluated_bytes = std::uint64_t{256} << 20;

Result<RunOutcome> run_by_runtime(Executor& executor, const RunJob& job) {
  auto outcomes = run_all(executor, {job});
  if (!outcomes) return tl::unexpected(outcomes.error());
  return std::move(outcomes->front());
}

RunOutcome not_evaluated(RunOutcome outcome, std::string why) {
  outcome.stage = RunOutcome::Stage::run;
  outcome.failure.ending = Ending::threw;
  outcome.failure.message = std::move(why);
  return outcome;
}

/// Each sample by itself; the first that fails ends it.
Result<RunOutcome> run_by_evaluator(Evaluator& evaluator, const RunJob& job) {
  RunOutcome outcome;
  outcome.runtime_version = evaluator.version();
  std::error_code error;
  if (fs::file_size(job.model, error) > most_evaluated_bytes || error)
    return not_evaluated(std::move(outcome), "it is not asked about a model of more than 256 MiB");
  if (has_seeded_nodes(job.model))
    return not_evaluated(std::move(outcome), "it draws other random numbers from a seed than the runtime does");
  std::vector<EvaluatorJob> jobs;
  for (std::size_t i = 0; i < job.samples.size(); ++i) {
    EvaluatorJob one{job.model, job.samples[i], job.inputs, false, job.folder / std::to_string(i), job.limits};
    const double most = one.limits.cpu_seconds > 0 ? one.limits.cpu_seconds : most_evaluator_seconds;
    one.limits.cpu_seconds = std::min(most, most_evaluator_seconds);
    jobs.push_back(std::move(one));
  }
  auto evaluated = evaluator.run(jobs);
  if (!evaluated) return tl::unexpected(evaluated.error());
  for (EvaluatorOutcome& one : *evaluated) {
    if (!one.failure.empty()) return not_evaluated(std::move(outcome), std::move(one.failure));
    outcome.outputs.push_back(std::move(one.outputs));
  }
  outcome.stage = RunOutcome::Stage::done;
  return outcome;
}

}  // namespace

std::vector<Witness> witnesses_of(Executor* second, Evaluator* evaluator) {
  std::vector<Witness> witnesses;
  if (second != nullptr)
    witnesses.push_back({"onnxruntime", [second](const RunJob& job) { return run_by_runtime(*second, job); }});
  if (evaluator != nullptr)
    witnesses.push_back(
        {"onnx.reference", [evaluator](const RunJob& job) { return run_by_evaluator(*evaluator, job); }});
  return witnesses;
}

}  // namespace culprit
