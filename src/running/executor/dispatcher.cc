#include "executor/dispatcher.h"

#include <algorithm>
#include <utility>

namespace culprit {

void Dispatcher::run(RunJob job, OnRun then, Purpose purpose) {
  if (!is_spent_ || purpose.rank == Priority::always) return submit(std::move(job), std::move(then));
  waiting_[purpose.rank].push_back({std::move(job), std::move(then), std::move(purpose.what)});
}

bool Dispatcher::must_skip(const std::string& what) {
  if (!spent()) return false;
  if (std::ranges::find(skipped_, what) == skipped_.end()) skipped_.push_back(what);
  return true;
}

/// What is answered as skipped may ask for more.
void Dispatcher::start_waiting() {
  while (!waiting_.empty()) {
    const auto first = waiting_.begin();
    if (!spent() && running_.size() >= executor_.places()) return;
    Waiting waiting = std::move(first->second.front());
    first->second.pop_front();
    if (first->second.empty()) waiting_.erase(first);
    must_skip(waiting.what) ? skip(waiting) : submit(std::move(waiting.job), std::move(waiting.then));
  }
}

void Dispatcher::skip(const Waiting& waiting) {
  RunOutcome outcome;
  outcome.stage = RunOutcome::Stage::run;
  outcome.failure = {Ending::threw, "the time of --budget was spent", "", false, true};
  waiting.then(outcome);
}

void Dispatcher::submit(RunJob job, OnRun then, bool is_witness) {
  Running running{std::move(then), job.session, job.samples, job.bundled, is_witness};
  const JobId id = executor_.submit(std::move(job));
  running_.emplace(id, std::move(running));
}

RunJob Dispatcher::witness(JobId job) const {
  RunJob witness = *original_;
  if (const auto at = running_.find(job); at != running_.end()) {
    witness.session = at->second.session;
    witness.samples = at->second.samples;
    witness.bundled = at->second.bundled;
    if (witness.bundled) witness.bundled->outputs += ".witness";  // what is doubtful is still needed
  }
  witness.alone = true;
  return witness;
}

bool Dispatcher::is_witness(JobId job) const {
  const auto at = running_.find(job);
  return at != running_.end() && at->second.is_witness;
}

template <class Any>
void Dispatcher::take(Any outcome) {
  const bool is_doubtful = outcome.failure.doubtful && !outcome.failure.machine;
  if (!is_doubtful || !original_ || is_witness(outcome.job)) return deliver(outcome);
  submit(
      witness(outcome.job),
      [this, outcome](const RunOutcome& seen) mutable {
        if (seen.failure.doubtful || seen.failure.machine) {
          outcome.failure.machine = true;
          outcome.failure.message += "; so does the original alone, so the machine is to blame";
        }
        deliver(outcome);
      },
      true);
}

void Dispatcher::optimize(OptimizeJob job, OnImport imported, OnVariant made, OnScan scanned) {
  const std::size_t owed = job.recipes.size();
  const JobId id = executor_.submit(std::move(job));
  optimizing_.emplace(id, Optimizing{std::move(imported), std::move(made), std::move(scanned), owed});
}

void Dispatcher::deliver(const RunOutcome& outcome) {
  usage_.spent.loads += outcome.seconds_load;
  usage_.spent.runs += outcome.seconds_run;
  usage_.memory.runner = std::max(usage_.memory.runner, outcome.peak_bytes);
  auto node = running_.extract(outcome.job);
  if (!node.empty()) node.mapped().then(outcome);
}

void Dispatcher::deliver(const ImportOutcome& outcome) {
  usage_.spent.optimize += outcome.seconds_total;
  usage_.memory.optimizer = std::max(usage_.memory.optimizer, outcome.peak_bytes);
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end()) return;
  const OnImport imported = at->second.imported;
  if (outcome.failure.failed() || at->second.owed == 0) optimizing_.erase(at);
  imported(outcome);
}

void Dispatcher::deliver(const ScanOutcome& outcome) {
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end() || !at->second.scanned) return;
  const OnScan scanned = at->second.scanned;
  scanned(outcome);
}

void Dispatcher::deliver(const VariantOutcome& outcome) {
  usage_.spent.optimize += outcome.seconds_total;
  usage_.memory.optimizer = std::max(usage_.memory.optimizer, outcome.peak_bytes);
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end()) return;
  const OnVariant made = at->second.made;
  if (--at->second.owed == 0) optimizing_.erase(at);
  made(outcome);
}

Result<void> Dispatcher::drain() {
  while (true) {
    start_waiting();
    if (running_.empty() && optimizing_.empty()) return {};
    const auto outcome = executor_.next();
    if (!outcome) {
      const std::size_t owed = running_.size() + optimizing_.size();
      return fail(ErrorKind::internal, "the workers ended while " + std::to_string(owed) + " jobs were unanswered");
    }
    if (std::holds_alternative<InterruptedOutcome>(*outcome)) return fail(ErrorKind::interrupted, "interrupted");
    if (const auto* run = std::get_if<RunOutcome>(&*outcome)) take(*run);
    if (const auto* import = std::get_if<ImportOutcome>(&*outcome)) take(*import);
    if (const auto* scan = std::get_if<ScanOutcome>(&*outcome)) deliver(*scan);
    if (const auto* variant = std::get_if<VariantOutcome>(&*outcome)) take(*variant);
  }
}

}  // namespace culprit
