#include "executor/run_all.h"

#include <map>

#include "base/text.h"

namespace culprit {

Result<std::vector<RunOutcome>> run_all(Executor& executor, std::vector<RunJob> jobs) {
  std::vector<RunOutcome> outcomes(jobs.size());
  std::map<JobId, std::size_t> owed;
  for (std::size_t i = 0; i < jobs.size(); ++i) owed.emplace(executor.submit(std::move(jobs[i])), i);
  while (!owed.empty()) {
    auto outcome = executor.next();
    if (!outcome) return fail(ErrorKind::internal, "the workers ended while runs were unanswered");
    if (std::holds_alternative<InterruptedOutcome>(*outcome)) return fail(ErrorKind::interrupted, "interrupted");
    auto* run = std::get_if<RunOutcome>(&*outcome);
    const auto at = run == nullptr ? owed.end() : owed.find(run->job);
    if (at == owed.end()) continue;
    if (run->failure.machine) return fail(ErrorKind::io, "a run could not be made: " + printable(run->failure.message));
    outcomes[at->second] = std::move(*run);
    owed.erase(at);
  }
  return outcomes;
}

bool ran(const RunOutcome& outcome, std::size_t samples) {
  return !outcome.failure.failed() && outcome.outputs.size() == samples;
}

std::string how_it_ended(const RunOutcome& outcome) {
  const bool at_load = outcome.stage == RunOutcome::Stage::load || outcome.stage == RunOutcome::Stage::start;
  const std::string text = printable(outcome.failure.message, 300);
  return std::string(at_load ? "it does not load" : "it does not run") + (text.empty() ? "" : ": " + text);
}

}  // namespace culprit
