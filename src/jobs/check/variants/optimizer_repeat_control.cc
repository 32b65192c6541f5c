#include "check/variants/optimizer_repeat_control.h"

#include <algorithm>
#include <set>

#include "trial/failure_signature.h"
#include "trial/plain_reason.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

const std::string control_name(name_of(ControlName::optimizer_repeat));

}  // namespace

OptimizerRepeat::Making OptimizerRepeat::making_of(const VariantOutcome& outcome, const Limits& limits) {
  if (outcome.failure.failed()) {
    const std::string word(reader_word(verdict_of(evidence_of_making(outcome.failure))));
    return {word, true, outcome.failure.machine, failure_text(outcome.failure, limits)};
  }
  return {outcome.skipped_by_scan ? "skipped" : outcome.fingerprint.hex(), false, false, ""};
}

void OptimizerRepeat::start() {
  std::vector<std::size_t> repeated;
  for (std::size_t i = 0; i < variants_.all().size(); ++i) {
    const Variant& variant = variants_.all()[i];
    if (variant.plan.is_bundle) repeated = {i};
    if (variant.plan.is_bundle) break;
    repeated.push_back(i);
  }
  if (dispatcher_.must_skip(control_name)) return;
  for (const std::size_t i : repeated) makings_[i].push_back(making_of(variants_.all()[i].outcome, options_.limits));
  make(repeated);
}

void OptimizerRepeat::confirm() {
  const auto in_doubt = with(Verdict::inconclusive);
  if (!in_doubt.empty()) make(in_doubt);
}

void OptimizerRepeat::make(const std::vector<std::size_t>& numbers) {
  if (numbers.empty()) return;
  OptimizeJob job = making_job(model_, options_, {});
  job.fresh_process = true;
  for (const std::size_t i : numbers) job.recipes.push_back(variants_.all()[i].plan.recipe);
  const auto add = [this](std::size_t variant, const VariantOutcome& outcome) {
    makings_[variant].push_back(making_of(outcome, options_.limits));
  };
  dispatcher_.optimize(
      std::move(job),
      [add, numbers](const ImportOutcome& outcome) {
        if (!outcome.failure.failed()) return;
        VariantOutcome none;
        none.failure = outcome.failure;
        for (const std::size_t i : numbers) add(i, none);
      },
      [add, numbers](const VariantOutcome& outcome) { add(numbers.at(outcome.recipe), outcome); });
}

Verdict OptimizerRepeat::verdict_on(const std::vector<Making>& makings) const {
  std::set<std::string> models, failures;
  std::size_t made = 0, failed = 0;
  for (const Making& making : makings) {
    if (making.machine) continue;  // says nothing about the optimizer
    (making.failed ? failures : models).insert(making.result);
    ++(making.failed ? failed : made);
  }
  if (models.size() > 1 || (made > 0 && failed > 1)) return Verdict::diverged;
  const bool repeats = made + failed > 1 && models.size() + failures.size() == 1;
  return repeats ? Verdict::equivalent : Verdict::inconclusive;
}

std::vector<std::size_t> OptimizerRepeat::with(Verdict verdict) const {
  std::vector<std::size_t> found;
  for (const auto& [variant, makings] : makings_) {
    if (verdict_on(makings) == verdict) found.push_back(variant);
  }
  return found;
}

std::string OptimizerRepeat::text(std::size_t variant, const std::vector<Making>& makings) const {
  const std::string name = name_of(variants_.all()[variant].plan);
  const auto failed = std::ranges::find_if(makings, &Making::failed);
  if (failed == makings.end()) return "two fresh processes made two different models of " + name;
  const bool once = std::ranges::count_if(makings, &Making::failed) == 1;
  return "the optimizer failed " + std::string(once ? "once" : "again and again, but not always,") + " to make " +
         name + ": " + failed->text;
}

std::optional<ControlRecord> OptimizerRepeat::record() const {
  if (makings_.empty()) return std::nullopt;
  ControlRecord record;
  record.name = ControlName::optimizer_repeat;
  for (const Verdict verdict : {Verdict::diverged, Verdict::inconclusive}) {
    const auto numbers = with(verdict);
    if (numbers.empty()) continue;
    record.verdict = verdict;
    for (const std::size_t i : numbers) {
      record.message += (record.message.empty() ? "" : "; ") + text(i, makings_.at(i));
    }
    return record;
  }
  return record;
}

std::optional<FaultRecord> OptimizerRepeat::fault(const std::vector<std::string>& ids) const {
  const auto numbers = with(Verdict::diverged);
  if (numbers.empty()) return std::nullopt;
  FaultRecord fault;
  fault.kind = FaultKind::control;
  fault.control = ControlName::optimizer_repeat;
  fault.culprits = {control_name};
  fault.signature = signature_of(fault.verdict, control_name, {}, "");
  fault.message = control_name + ": " + record()->message;
  for (const std::size_t i : numbers) fault.variants.push_back(ids.at(i));
  return fault;
}

}  // namespace culprit
