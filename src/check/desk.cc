#include "check/desk.h"

#include <utility>

namespace culprit {

void Desk::run(RunJob job, OnRun then) {
  const JobId id = executor_.submit(std::move(job));
  running_.emplace(id, std::move(then));
}

void Desk::optimize(OptimizeJob job, OnImport imported, OnVariant made, OnScan scanned) {
  const std::size_t owed = job.recipes.size();
  const JobId id = executor_.submit(std::move(job));
  optimizing_.emplace(id, Optimizing{std::move(imported), std::move(made), std::move(scanned), owed});
}

void Desk::deliver(const RunOutcome& outcome) {
  auto node = running_.extract(outcome.job);
  if (!node.empty()) node.mapped()(outcome);
}

void Desk::deliver(const ImportOutcome& outcome) {
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end()) return;
  const OnImport imported = at->second.imported;
  if (outcome.failure.failed() || at->second.owed == 0) optimizing_.erase(at);
  imported(outcome);
}

void Desk::deliver(const ScanOutcome& outcome) {
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end() || !at->second.scanned) return;
  const OnScan scanned = at->second.scanned;
  scanned(outcome);
}

void Desk::deliver(const VariantOutcome& outcome) {
  const auto at = optimizing_.find(outcome.job);
  if (at == optimizing_.end()) return;
  const OnVariant made = at->second.made;
  if (--at->second.owed == 0) optimizing_.erase(at);
  made(outcome);
}

Result<void> Desk::drain() {
  while (!running_.empty() || !optimizing_.empty()) {
    const auto outcome = executor_.next();
    if (!outcome) {
      const std::size_t owed = running_.size() + optimizing_.size();
      return fail(ErrorKind::internal, "the workers ended while " + std::to_string(owed) + " jobs were unanswered");
    }
    if (std::holds_alternative<InterruptedOutcome>(*outcome)) return fail(ErrorKind::interrupted, "interrupted");
    if (const auto* run = std::get_if<RunOutcome>(&*outcome)) deliver(*run);
    if (const auto* import = std::get_if<ImportOutcome>(&*outcome)) deliver(*import);
    if (const auto* scan = std::get_if<ScanOutcome>(&*outcome)) deliver(*scan);
    if (const auto* variant = std::get_if<VariantOutcome>(&*outcome)) deliver(*variant);
  }
  return {};
}

}  // namespace culprit
