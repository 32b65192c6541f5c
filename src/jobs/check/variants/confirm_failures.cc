#include "check/variants/confirm_failures.h"

#include <utility>

#include "trial/evidence.h"

namespace culprit {

bool FailureConfirmation::faulty(const VariantResult& result) const {
  return is_fault(result.judgement.verdict, setting_.options.strict);
}

void FailureConfirmation::remake(const PlannedVariant& plan, bool alone, const OnVariant& then) {
  OptimizeJob job = making_job(setting_.model, setting_.options, {plan.recipe});
  job.rewrites = {plan.rewrites};
  job.alone = alone;
  job.fresh_process = true;
  setting_.dispatcher.optimize(
      std::move(job),
      [then](const ImportOutcome& outcome) {
        if (!outcome.failure.failed()) return;
        VariantOutcome none;
        none.failure = outcome.failure;
        then(none);
      },
      then);
}

void FailureConfirmation::ask_import(const std::shared_ptr<VariantResult>& result) {
  if (!faulty(*result) || result->asked > 0) return;
  const CheckOptions& options = setting_.options;
  result->asked = options.confirmations;
  for (int i = 0; i < result->asked; ++i) {
    remake(runs_.made().round_trip().plan, true, [result, &options](const VariantOutcome& outcome) {
      const Verdict again = judge_import(outcome.failure, options).verdict;
      if (outcome.failure.failed() && again == result->judgement.verdict) ++result->confirmed;
    });
  }
}

void FailureConfirmation::ask(const Variant& variant) {
  VariantResult* result = variant.result.get();
  if (result == nullptr) return;
  const int confirmations = setting_.options.confirmations;
  const auto& deployed = result->deployed;
  const bool fails_there = deployed && deployed->asked == 0 && faulty(*deployed);
  if (fails_there && confirmations > 0) remake_and_compare(variant, deployed);
  if (result->asked > 0 || !faulty(*result)) return;
  result->asked = confirmations;
  if (result->asked == 0) return;
  const DistinctVariant* exported = runs_.exported();
  if (exported != nullptr && result == exported->result.get()) return run_again(variant, *exported);
  const DistinctVariant* distinct = runs_.run_of(variant);
  distinct != nullptr ? run_again(variant, *distinct) : make_again(variant);
}

void FailureConfirmation::make_again(const Variant& variant) {
  const auto result = variant.result;
  const Contract contract = variant.plan.contract;
  for (int i = 0; i < result->asked; ++i) {
    remake(variant.plan, may_be_pressure(result->judgement.verdict),
           [&runs = runs_, result, contract](const VariantOutcome& outcome) {
             const auto again =
                 judge_making(outcome, contract, runs.by().reference, runs.made().import().checker_complaint);
             if (again && again->verdict == result->judgement.verdict) ++result->confirmed;
           });
  }
}

void FailureConfirmation::run_again(const Variant& variant, const DistinctVariant& distinct) {
  const auto result = distinct.result;
  const bool alone = may_be_pressure(result->judgement.verdict);
  Judging& by = runs_.by();
  for (int i = 0; i < result->asked; ++i) {
    run_afresh_and_judge(setting_.dispatcher, by.judge, distinct.made,
                         job_for(*distinct.made, by.reference, runs_.new_folder()), alone,
                         [result](const Judgement& again) {
                           if (again.verdict == result->judgement.verdict) ++result->confirmed;
                         });
  }
  remake_and_compare(variant, result);
}

/// Wrong values: does a fresh optimizer make this model again?
void FailureConfirmation::remake_and_compare(const Variant& variant, std::shared_ptr<VariantResult> result) {
  if (result->judgement.measurements.empty() || runs_in_session(variant.plan.recipe)) return;
  const Hash128 expected = variant.outcome.fingerprint;
  remake(variant.plan, false, [result = std::move(result), expected](const VariantOutcome& outcome) {
    result->remade_differently = outcome.failure.failed() || outcome.fingerprint != expected;
  });
}

}  // namespace culprit
