#include "check/variants/variant_runs.h"

#include <algorithm>

#include "base/folder.h"
#include "base/hash.h"
#include "base/text.h"
#include "check/variants/exported_round_trip.h"
#include "check/variants/output_bits.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

/// By sample, the larger number of draws.
std::vector<int> most_of(std::vector<int> a, const std::vector<int>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

}  // namespace

VariantRuns::VariantRuns(MadeVariants& made, Judging& by, std::optional<std::size_t> needed)
    : made_(made), setting_(made.setting()), by_(by), needed_(needed) {
  made_.hand_to([this](Variant& variant) { arrived(variant); });
}

// --- who is shared ------------------------------------------------------------------------------------------------

/// Nothing can be shared with the round trip before that is there.
void VariantRuns::arrived(Variant& variant) {
  waiting_.push_back(&variant);
  if (!made_.round_trip().is_made) return;
  for (Variant* ready : std::exchange(waiting_, {})) settle(*ready);
}

SameAs VariantRuns::same_as_of(const Variant& variant) const {
  const VariantOutcome& outcome = variant.outcome;
  const VariantOutcome& trip = made_.round_trip().outcome;
  const bool trip_exists = !trip.failure.failed() && !trip.skipped_by_scan;
  const bool is_in_session = runs_in_session(variant.plan.recipe);
  const bool is_trip = !is_the_trip(variant) && trip_exists && outcome.fingerprint == trip.fingerprint;
  if (!outcome.failure.failed() && !is_in_session) {
    if (!outcome.skipped_by_scan && outcome.fingerprint == made_.import().original) return SameAs::original;
    if (outcome.skipped_by_scan || is_trip) return SameAs::round_trip;
  }
  return SameAs::none;
}

/// Finds out with whom a variant is shared, and runs it if it is the first of its kind.
void VariantRuns::settle(Variant& variant) {
  if (is_the_trip(variant)) exported_ = run_as_exported(setting_.dispatcher, by_, variant.outcome, new_folder());
  variant.same_as = same_as_of(variant);
  if (variant.same_as != SameAs::none) return decided(variant);
  const Key key = key_of(variant);
  if (auto refusal = refusal_of(variant)) {
    auto result = std::make_shared<VariantResult>();
    if (!variant.outcome.failure.failed()) result = refused_.emplace(key, result).first->second;
    result->judgement = std::move(*refusal);
    variant.result = std::move(result);
    return decided(variant);
  }
  std::unique_ptr<DistinctVariant>& distinct = distinct_[key];
  const bool is_new = distinct == nullptr;
  if (is_new) distinct = std::make_unique<DistinctVariant>();
  variant.result = distinct->result;
  if (is_new) run(variant, *distinct);
  if (distinct->is_judged) decided(variant);
}

/// Of what runs in a session nothing is shared by what was saved: a step may do harm and leave no trace in that.
VariantRuns::Key VariantRuns::key_of(const Variant& variant) {
  const Recipe& recipe = variant.plan.recipe;
  if (!runs_in_session(recipe)) return {variant.outcome.fingerprint, variant.plan.contract};
  return {hash128(recipe.level + ";" + join(recipe.disabled, ";")), variant.plan.contract};
}

std::optional<Judgement> VariantRuns::refusal_of(const Variant& variant) const {
  if (runs_in_session(variant.plan.recipe)) return std::nullopt;
  return judge_making(variant.outcome, variant.plan.contract, by_.reference, made_.import().checker_complaint);
}

RunnablePtr VariantRuns::runnable_of(const Variant& variant) const {
  if (runs_in_session(variant.plan.recipe)) return runnable_in_session(variant.plan.recipe, by_.reference);
  return runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, by_.reference);
}

void VariantRuns::decided(const Variant& variant) {
  ++decided_;
  if (setting_.progress) setting_.progress(decided_, made_.all().size() + 1, name_of(variant.plan));
}

const DistinctVariant* VariantRuns::run_of(const Variant& variant) const {
  const auto at = distinct_.find(key_of(variant));
  return at != distinct_.end() && at->second->result == variant.result ? at->second.get() : nullptr;
}

// --- running ------------------------------------------------------------------------------------------------------

fs::path VariantRuns::new_folder() { return setting_.folder / "outputs" / std::to_string(folders_++); }

void VariantRuns::run(const Variant& variant, DistinctVariant& distinct) {
  distinct.made = runnable_of(variant);
  if (distinct.made->in_session && !variant.outcome.file.empty())
    distinct.saved = runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, by_.reference);
  distinct.name = name_of(variant.plan);
  distinct.is_for_search = variant.plan.is_for_search;
  distinct.outputs_folder = new_folder();
  run_and_judge(setting_.dispatcher, by_.judge, distinct.made,
                job_for(*distinct.made, by_.reference, distinct.outputs_folder),
                [this, &distinct](Judgement judgement, const RunOutcome& outcome) {
                  distinct.outputs = outcome.outputs;
                  distinct.result->judgement = std::move(judgement);
                  if (!setting_.options.orders.empty())
                    distinct.result->output_bits = bits_of_outputs(distinct.outputs, distinct.made->binding.outputs);
                  judged(distinct);
                },
                {rank_of(variant), name_of(variant.plan)});
}

Priority VariantRuns::rank_of(const Variant& variant) const {
  const bool is_needed = needed_ && (is_the_trip(variant) || key_of(variant) == key_of(made_.all()[*needed_]));
  if (is_needed) return Priority::always;
  return is_the_trip(variant) ? Priority::round_trip : priority_of(variant.plan);
}

bool VariantRuns::faulty(const VariantResult& result) const {
  return is_fault(result.judgement.verdict, setting_.options.strict);
}

void VariantRuns::judged(DistinctVariant& distinct) {
  distinct.is_judged = true;
  for (const Variant& variant : made_.all()) {
    if (variant.result == distinct.result) decided(variant);
  }
  const bool is_round_trip = made_.round_trip().result == distinct.result;
  if (is_round_trip) {
    decided(made_.round_trip());
    for (auto& [key, other] : distinct_) {
      if (other.get() != &distinct && other->is_judged) compare_with_round_trip(*other);
    }
    if (!faulty(*distinct.result)) remove_folder(std::exchange(distinct.outputs_folder, {}));
  } else {
    compare_with_round_trip(distinct);
  }
  deploy(distinct);
}

/// What fails at the reference's level is known to be wrong already; a session of the runtime is as users run it.
void VariantRuns::deploy(const DistinctVariant& distinct) {
  const Verdict verdict = distinct.result->judgement.verdict;
  if (is_fault(verdict, setting_.options.strict) || verdict == Verdict::inconclusive) return;
  if (distinct.made->in_session) return run_saved(distinct);
  const bool is_round_trip = made_.round_trip().result == distinct.result;
  by_.deploy_level.run({distinct.made, job_for(*distinct.made, by_.reference, {}), distinct.result, is_round_trip,
                        distinct.name, distinct.is_for_search});
}

/// Users ship that, too: it must mean the same where nothing is optimized any more.
void VariantRuns::run_saved(const DistinctVariant& distinct) {
  if (distinct.saved == nullptr || distinct.is_for_search) return;
  const fs::path folder = new_folder();
  run_and_judge(setting_.dispatcher, by_.judge, distinct.saved, job_for(*distinct.saved, by_.reference, folder),
                [result = distinct.result, folder](Judgement judgement, const RunOutcome&) {
                  result->saved = std::make_shared<VariantResult>();
                  result->saved->judgement = std::move(judgement);
                  remove_folder(folder);
                },
                {Priority::deploy_level, distinct.name + ", as it was saved"});
}

/// Where both are wrong: is it with the same values? Drops the outputs as soon as that is known.
void VariantRuns::compare_with_round_trip(DistinctVariant& distinct) {
  if (distinct.outputs_folder.empty()) return;
  const auto trip = std::ranges::find_if(
      distinct_, [&](const auto& entry) { return entry.second->result == made_.round_trip().result; });
  const bool trip_runs = trip != distinct_.end();
  if (trip_runs && !trip->second->is_judged && faulty(*distinct.result)) return;  // asked again when it is
  if (trip_runs && trip->second->is_judged && faulty(*distinct.result) && faulty(*trip->second->result)) {
    const Comparison between =
        compare(trip->second->outputs, distinct.outputs, distinct.made->binding.outputs, distinct.made->contract,
                setting_.options, &by_.judge.known(),
                most_of(distinct.result->judgement.draws, trip->second->result->judgement.draws));
    distinct.result->as_round_trip =
        wrong_as_round_trip(distinct.result->judgement.measurements, trip->second->result->judgement.measurements,
                            between.measurements, setting_.options.strict);
  }
  remove_folder(std::exchange(distinct.outputs_folder, {}));
}

}  // namespace culprit
