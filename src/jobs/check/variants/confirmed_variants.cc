#include "check/variants/confirmed_variants.h"

#include <set>
#include <utility>

#include "trial/exported_form.h"

namespace culprit {

namespace fs = std::filesystem;

ConfirmedVariants::ConfirmedVariants(VariantRuns& runs, std::shared_ptr<VariantResult> import_result)
    : JudgedVariants(runs, import_result),
      made_(runs.made()),
      runs_(runs),
      by_(runs.by()),
      failures_(runs),
      import_failure_(std::move(import_result)) {}

Result<std::unique_ptr<ConfirmedVariants>> ConfirmedVariants::of(VariantRuns& runs) {
  const MadeVariants& made = runs.made();
  if (auto ok = made.setting().dispatcher.drain(); !ok) return tl::unexpected(ok.error());
  auto import_result = std::make_shared<VariantResult>();
  if (const Failure& failure = made.import().failure; failure.failed())
    import_result->judgement = judge_import(failure, made.setting().options);
  std::unique_ptr<ConfirmedVariants> confirmed(new ConfirmedVariants(runs, std::move(import_result)));
  if (auto ok = confirmed->confirm(); !ok) return tl::unexpected(ok.error());
  return confirmed;
}

Result<std::size_t> ConfirmedVariants::add(std::vector<PlannedVariant> plan) {
  const std::size_t first = made_.add(std::move(plan));
  return wait().map([first] { return first; });
}

Result<void> ConfirmedVariants::confirm() {
  if (import().failure.failed()) {
    failures_.ask_import(import_failure_);
    return wait();
  }
  restate_refusals();
  say_as_exported();
  failures_.ask(round_trip());
  for (const Variant& variant : all()) {
    if (!variant.plan.is_for_search) failures_.ask(variant);
  }
  by_.deploy_level.confirm();
  return wait();
}

Result<void> ConfirmedVariants::confirm(std::size_t variant) {
  restate_refusals();
  failures_.ask(all().at(variant));
  by_.deploy_level.confirm();
  return wait();
}

/// Of those that share a refusal the first in the plan speaks, whichever came first.
void ConfirmedVariants::restate_refusals() {
  std::set<const VariantResult*> said;
  for (const Variant& variant : all()) {
    if (!variant.result || !said.insert(variant.result.get()).second) continue;
    if (auto refusal = runs_.refusal_of(variant)) variant.result->judgement = std::move(*refusal);
  }
}

/// Where the runtime does not take it as it takes the model, or that could not be told, that is the round trip's own
/// verdict, unless more is wrong with it.
void ConfirmedVariants::say_as_exported() {
  const DistinctVariant* exported = runs_.exported();
  Variant& trip = made_.round_trip();
  if (exported == nullptr || trip.result == exported->result) return;
  const bool strict = made_.setting().options.strict;
  const bool is_worse = trip.result && (is_fault(trip.result->judgement.verdict, strict) || fails_deployed(trip));
  Judgement& judgement = exported->result->judgement;
  const bool is_right = !is_fault(judgement.verdict, strict) && judgement.verdict != Verdict::inconclusive;
  if (is_worse || is_right) return;
  tell_lost_types(judgement, trip.outcome);
  trip.result = exported->result;
}

Result<void> ConfirmedVariants::deploy_on_all(const std::vector<const Variant*>& variants) {
  for (const Variant* variant : variants) {
    const auto& result = variant->same_as == SameAs::round_trip ? round_trip().result : variant->result;
    if (result) by_.deploy_level.run_on_all(result);
  }
  return wait();
}

Result<void> ConfirmedVariants::keep(std::size_t variant, const std::string& reason, const std::string& made_as) {
  made_.keep(variant, reason, made_as);
  return wait();
}

/// A file in place of what this variant is.
RunnablePtr ConfirmedVariants::runnable_as(std::size_t variant, const fs::path& file) const {
  const Variant& like = all().at(variant);
  const Interface& interface = like.same_as == SameAs::none ? like.outcome.interface : made_.setting().model.interface;
  return runnable(file, interface, like.plan.contract, by_.reference);
}

void ConfirmedVariants::run_at(const AtLevel& at, std::size_t variant, const fs::path& file) {
  const RunnablePtr made = runnable_as(variant, file);
  RunJob job = job_for(*made, by_.reference, runs_.new_folder());
  job.session.level = at.level;
  run_afresh_and_judge(made_.setting().dispatcher, by_.judge, made, std::move(job), false, at.then);
}

Result<void> ConfirmedVariants::verify(std::size_t variant, const fs::path& file, const OnVerified& then) {
  const RunnablePtr made = runnable_as(variant, file);
  by_.deploy_level.verify({made, job_for(*made, by_.reference, {}), nullptr}, then);
  const Level level = by_.reference.session.level;
  run_at({level, [then, level](const Judgement& judgement) { then(judgement, std::string(name_of(level))); }}, variant,
         file);
  return wait();
}

Result<void> ConfirmedVariants::verify_at(const std::vector<AtLevel>& levels, std::size_t variant,
                                          const fs::path& file) {
  for (const AtLevel& at : levels) run_at(at, variant, file);
  return wait();
}

}  // namespace culprit
