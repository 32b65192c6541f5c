// The second part of Variants: failures again in fresh processes, and a finished file as it lies on the disk.
#include <algorithm>
#include <set>

#include "check/variants/distinct_variant.h"
#include "check/variants/variants.h"
#include "trial/evidence.h"

namespace culprit {

namespace fs = std::filesystem;

void Variants::remake(const PlannedVariant& plan, bool alone, const OnVariant& then) {
  OptimizeJob job = making_job(model_, options_, {plan.recipe});
  job.rewrites = {plan.rewrites};
  job.alone = alone;
  job.fresh_process = true;
  dispatcher_.optimize(
      std::move(job),
      [then](const ImportOutcome& outcome) {
        if (!outcome.failure.failed()) return;
        VariantOutcome none;
        none.failure = outcome.failure;
        then(none);
      },
      then);
}

void Variants::confirm_import() {
  if (!import_.failure.failed() || !faulty(import_result_) || import_result_.asked > 0) return;
  import_result_.asked = options_.confirmations;
  for (int i = 0; i < import_result_.asked; ++i) {
    remake(round_trip_->plan, true, [this](const VariantOutcome& outcome) {
      const Verdict again = judge_import(outcome.failure, options_).verdict;
      if (outcome.failure.failed() && again == import_result_.judgement.verdict) ++import_result_.confirmed;
    });
  }
}

void Variants::confirm_making(const Variant& variant) {
  const auto result = variant.result;
  const Contract contract = variant.plan.contract;
  for (int i = 0; i < result->asked; ++i) {
    remake(variant.plan, may_be_pressure(result->judgement.verdict),
           [this, result, contract](const VariantOutcome& outcome) {
             const auto again = judge_making(outcome, contract, by_->reference, import_.checker_complaint);
             if (again && again->verdict == result->judgement.verdict) ++result->confirmed;
           });
  }
}

void Variants::confirm_run(const Variant& variant, DistinctVariant& distinct) {
  const auto result = distinct.result;
  const bool alone = may_be_pressure(result->judgement.verdict);
  for (int i = 0; i < result->asked; ++i) {
    run_afresh_and_judge(dispatcher_, by_->judge, distinct.made, job_for(*distinct.made, by_->reference, new_folder()),
                         alone, [result](const Judgement& again) {
                           if (again.verdict == result->judgement.verdict) ++result->confirmed;
                         });
  }
  remake_and_compare(variant, result);
}

/// Wrong values: does a fresh optimizer make this model again?
void Variants::remake_and_compare(const Variant& variant, std::shared_ptr<VariantResult> result) {
  if (result->judgement.measurements.empty() || runs_in_session(variant.plan.recipe)) return;
  const Hash128 expected = variant.outcome.fingerprint;
  remake(variant.plan, false, [result = std::move(result), expected](const VariantOutcome& outcome) {
    result->remade_differently = outcome.failure.failed() || outcome.fingerprint != expected;
  });
}

/// Of those that share a refusal the first in the plan speaks, whichever came first.
void Variants::restate_refusals() {
  std::set<const VariantResult*> said;
  for (const Variant& variant : all_) {
    if (!variant.result || !said.insert(variant.result.get()).second) continue;
    if (auto refusal = refusal_of(variant)) variant.result->judgement = std::move(*refusal);
  }
}

void Variants::confirm() {
  if (import_.failure.failed()) return confirm_import();
  restate_refusals();
  say_as_exported();
  confirm(*round_trip_);
  for (const Variant& variant : all_) {
    if (!variant.plan.is_for_search) confirm(variant);
  }
  by_->deploy_level.confirm();
}

void Variants::confirm(std::size_t variant) {
  restate_refusals();
  confirm(all_.at(variant));
  by_->deploy_level.confirm();
}

void Variants::confirm(const Variant& variant) {
  VariantResult* result = variant.result.get();
  if (result == nullptr) return;
  const auto& deployed = result->deployed;
  const bool fails_there = deployed && deployed->asked == 0 && faulty(*deployed);
  if (fails_there && options_.confirmations > 0) remake_and_compare(variant, deployed);
  if (result->asked > 0 || !faulty(*result)) return;
  result->asked = options_.confirmations;
  if (result->asked == 0) return;
  if (exported_ && result == exported_->result.get()) return confirm_run(variant, *exported_);
  const auto distinct = distinct_.find(key_of(variant));
  const bool was_run = distinct != distinct_.end() && distinct->second->result.get() == result;
  was_run ? confirm_run(variant, *distinct->second) : confirm_making(variant);
}

void Variants::keep(std::size_t variant, const std::string& reason, const std::string& made_as) {
  PlannedVariant& plan = all_.at(variant).plan;
  if (!std::exchange(plan.is_for_search, false)) return;
  plan.reason = reason, plan.made_as = made_as;
  if (runs_in_session(plan.recipe)) make_late(all_.at(variant));
}

/// For the report, and for those who want the file.
void Variants::make_late(Variant& variant) {
  OptimizeJob job = making_job(model_, options_, {variant.plan.recipe});
  job.folder = folder_ / "variants";
  dispatcher_.optimize(
      std::move(job),
      [&variant](const ImportOutcome& outcome) {
        if (outcome.failure.failed()) variant.outcome.failure = outcome.failure;
      },
      [&variant](const VariantOutcome& outcome) { variant.outcome = outcome; });
}

/// A file in place of what this variant is.
RunnablePtr Variants::runnable_as(const Variant& like, const fs::path& file) const {
  const Interface& interface = like.same_as == SameAs::none ? like.outcome.interface : model_.interface;
  return runnable(file, interface, like.plan.contract, by_->reference);
}

void Variants::verify(std::size_t variant, const fs::path& file, const OnVerified& then) {
  const RunnablePtr made = runnable_as(all_.at(variant), file);
  by_->deploy_level.verify({made, job_for(*made, by_->reference, {}), nullptr}, then);
  const Level level = by_->reference.session.level;
  verify_at(level, variant, file,
            [then, level](const Judgement& judgement) { then(judgement, std::string(name_of(level))); });
}

void Variants::verify_at(Level level, std::size_t variant, const fs::path& file,
                         const std::function<void(const Judgement&)>& then) {
  const RunnablePtr made = runnable_as(all_.at(variant), file);
  RunJob job = job_for(*made, by_->reference, new_folder());
  job.session.level = level;
  run_afresh_and_judge(dispatcher_, by_->judge, made, std::move(job), false, then);
}

}  // namespace culprit
