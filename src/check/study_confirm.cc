// The second half of a study: failures again in fresh processes, and a finished file as it lies on the disk.
#include <algorithm>
#include <set>

#include "check/evidence.h"
#include "check/study.h"
#include "check/study_content.h"

namespace culprit {

namespace fs = std::filesystem;

void Study::remake(const PlannedVariant& plan, bool alone, const OnVariant& then) {
  OptimizeJob job;
  job.model = basis_.model.path;
  job.optimizer = basis_.options.optimizer;
  job.recipes = {plan.recipe};
  job.rewrites = {plan.rewrites};
  job.limits = basis_.options.limits;
  job.alone = alone;
  desk_.optimize(
      std::move(job),
      [then](const ImportOutcome& outcome) {
        if (!outcome.failure.failed()) return;
        VariantOutcome none;
        none.failure = outcome.failure;
        then(none);
      },
      then);
}

void Study::confirm_import() {
  if (!import_.failure.failed() || !faulty(import_finding_) || import_finding_.asked > 0) return;
  import_finding_.asked = basis_.options.confirmations;
  for (int i = 0; i < import_finding_.asked; ++i) {
    remake(round_trip_->plan, true, [this](const VariantOutcome& outcome) {
      const Verdict again = judge_import(outcome.failure, basis_).verdict;
      if (outcome.failure.failed() && again == import_finding_.judgement.verdict) ++import_finding_.confirmed;
    });
  }
}

void Study::confirm_making(const Attempt& attempt) {
  const auto finding = attempt.finding;
  const Contract contract = attempt.plan.contract;
  for (int i = 0; i < finding->asked; ++i) {
    remake(attempt.plan, may_be_pressure(finding->judgement.verdict),
           [this, finding, contract](const VariantOutcome& outcome) {
             const auto again = judge_making(outcome, contract, basis_);
             if (again && again->verdict == finding->judgement.verdict) ++finding->confirmed;
           });
  }
}

void Study::confirm_run(const Attempt& attempt, Content& content) {
  for (int i = 0; i < content.finding->asked; ++i) {
    const fs::path folder = new_folder();
    RunJob job = run_job(content, folder);
    job.fresh_process = true;
    job.alone = may_be_pressure(content.finding->judgement.verdict);
    desk_.run(std::move(job), [this, &content, folder](const RunOutcome& outcome) {
      judge_.judge(outcome, content.binding, content.contract, [&content, folder](const Judgement& again) {
        if (again.verdict == content.finding->judgement.verdict) ++content.finding->confirmed;
        remove_folder(folder);
      });
    });
  }
  remake_and_compare(attempt, content.finding);
}

/// Wrong values: does a fresh optimizer make this model again?
void Study::remake_and_compare(const Attempt& attempt, std::shared_ptr<Finding> finding) {
  if (finding->judgement.measurements.empty()) return;
  const Hash128 expected = attempt.outcome.fingerprint;
  remake(attempt.plan, false, [finding = std::move(finding), expected](const VariantOutcome& outcome) {
    finding->remade_differently = outcome.failure.failed() || outcome.fingerprint != expected;
  });
}

/// Of those that share a refusal the first in the plan speaks, whichever came first.
void Study::restate_refusals() {
  std::set<const Finding*> said;
  for (const Attempt& attempt : attempts_) {
    if (!attempt.finding || !said.insert(attempt.finding.get()).second) continue;
    if (auto refusal = judge_making(attempt.outcome, attempt.plan.contract, basis_)) {
      attempt.finding->judgement = std::move(*refusal);
    }
  }
}

void Study::confirm() {
  if (import_.failure.failed()) return confirm_import();
  restate_refusals();
  say_as_exported();
  confirm(*round_trip_);
  for (const Attempt& attempt : attempts_) {
    if (!attempt.plan.is_trial) confirm(attempt);
  }
  deployment_.confirm();
}

void Study::confirm(std::size_t attempt) {
  restate_refusals();
  confirm(attempts_.at(attempt));
  deployment_.confirm();
}

void Study::confirm(const Attempt& attempt) {
  Finding* finding = attempt.finding.get();
  if (finding == nullptr) return;
  const auto& deployed = finding->deployed;
  const bool fails_there = deployed && deployed->asked == 0 && faulty(*deployed);
  if (fails_there && basis_.options.confirmations > 0) remake_and_compare(attempt, deployed);
  if (finding->asked > 0 || !faulty(*finding)) return;
  finding->asked = basis_.options.confirmations;
  if (finding->asked == 0) return;
  if (exported_ && finding == exported_->finding.get()) return confirm_run(attempt, *exported_);
  const auto content = contents_.find({attempt.outcome.fingerprint, attempt.plan.contract});
  const bool was_run = content != contents_.end() && content->second->finding.get() == finding;
  was_run ? confirm_run(attempt, *content->second) : confirm_making(attempt);
}

void Study::keep(std::size_t attempt, const std::string& reason) {
  PlannedVariant& plan = attempts_.at(attempt).plan;
  if (std::exchange(plan.is_trial, false)) plan.reason = reason;
}

void Study::verify(std::size_t attempt, const fs::path& file, const OnVerified& then) {
  const Attempt& like = attempts_.at(attempt);
  const auto content = std::make_shared<Content>();
  content->file = file;
  describe(*content, like.same_as.empty() ? like.outcome.interface : basis_.model.interface, like.plan.contract);
  RunJob job = run_job(*content, new_folder());
  job.fresh_process = true;
  deployment_.verify({job, content->binding, content->contract, nullptr}, then);
  desk_.run(job, [this, content, folder = job.folder, then](const RunOutcome& outcome) {
    judge_.judge(outcome, content->binding, content->contract,
                 [this, content, folder, then](const Judgement& judgement) {
                   then(judgement, std::string(name_of(basis_.session.level)));
                   remove_folder(folder);
                 });
  });
}

}  // namespace culprit
