#include "check/external/external_executor.h"

#include "executor/missing_operator.h"
#include "model/fingerprint.h"
#include "model/model_diff.h"
#include "model/order_by_use.h"

namespace culprit {
namespace {

/// What the checker says; that it died over the model, if it did.
std::string complaint_of(const ImportOutcome& look) {
  const bool died_checking = look.failure.failed() && look.original == Hash128{} &&
                             look.failure.message.find("checking the model") != std::string::npos;
  return died_checking ? "the checker does not come to an end with it: " + look.failure.message
                       : look.checker_complaint;
}

}  // namespace

Hash128 fingerprint_of(const ImportOutcome& look, const Model& model) {
  return look.original == Hash128{} ? fingerprint(*model.proto) : look.original;
}

JobId ExternalExecutor::submit(OptimizeJob job) {
  OptimizeJob look;
  look.model = variant_.path;
  look.optimizer = looking_optimizer;
  look.limits = job.limits;
  const JobId id = inner_.submit(std::move(look));
  asked_.emplace(id, std::move(job));
  return id;
}

std::optional<Outcome> ExternalExecutor::next() {
  while (queue_.empty()) {
    auto outcome = inner_.next();
    if (auto* run = outcome ? std::get_if<RunOutcome>(&*outcome) : nullptr) excuse(*run);
    const auto* look = outcome ? std::get_if<ImportOutcome>(&*outcome) : nullptr;
    if (look == nullptr) return outcome;
    const auto asked = asked_.find(look->job);
    if (asked == asked_.end()) return outcome;
    answer(*look, asked->second);
    asked_.erase(asked);
  }
  Outcome outcome = std::move(queue_.front());
  queue_.pop_front();
  return outcome;
}

void ExternalExecutor::excuse(RunOutcome& run) const {
  const auto missing = missing_library(run, original_, variant_);
  if (!missing) return;
  run.failure.machine = true;
  run.failure.message = *missing;
}

void ExternalExecutor::answer(const ImportOutcome& look, const OptimizeJob& job) {
  ImportOutcome import = import_;  // that the optimizer may fail to import the original says nothing of the variant
  import.job = look.job;
  import.failure = {};
  import.original = fingerprint_of(import_, original_);
  queue_.emplace_back(std::move(import));
  if (job.most_places > 0) queue_.emplace_back(ScanOutcome{look.job, {}});
  for (std::size_t i = 0; i < job.recipes.size(); ++i) {
    VariantOutcome outcome = made(look, job.recipes[i]);
    outcome.job = look.job;
    outcome.recipe = i;
    queue_.emplace_back(std::move(outcome));
  }
}

VariantOutcome ExternalExecutor::made(const ImportOutcome& look, const Recipe& recipe) const {
  VariantOutcome outcome;
  const Model& model = recipe.passes.empty() ? original_ : variant_;
  outcome.interface = model.interface;
  outcome.facts = model.facts;
  if (recipe.passes.empty()) {
    outcome.fingerprint = fingerprint_of(import_, original_);
    return outcome;
  }
  if (look.failure.machine) outcome.failure = look.failure;
  outcome.fingerprint = fingerprint_of(look, variant_);
  outcome.checker_complaint = complaint_of(look);
  outcome.file = variant_.path;
  if (const int too_early = nodes_too_early(variant_.proto->graph());
      too_early > 0 && nodes_too_early(original_.proto->graph()) == 0)
    outcome.warnings.push_back(not_sorted_warning(too_early));
  outcome.ops_changed = ops_changed(*original_.proto, *variant_.proto);
  outcome.seconds_total = look.seconds_total;
  return outcome;
}

}  // namespace culprit
