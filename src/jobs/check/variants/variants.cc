#include "check/variants/variants.h"

#include <algorithm>

#include "base/hash.h"
#include "base/text.h"
#include "check/variants/distinct_variant.h"

namespace culprit {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_places = 64;  // that the scan names

/// By sample, the larger number of draws.
std::vector<int> most_of(std::vector<int> a, const std::vector<int>& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) a[i] = std::max(a[i], b[i]);
  return a;
}

}  // namespace

Variants::Variants(Dispatcher& dispatcher, const Model& model, const CheckOptions& options,
                   const OptimizerTraits& optimizer, fs::path folder, Progress progress)
    : dispatcher_(dispatcher),
      model_(model),
      options_(options),
      optimizer_(optimizer),
      folder_(std::move(folder)),
      progress_(std::move(progress)) {}
Variants::~Variants() = default;

// --- making -------------------------------------------------------------------------------------------------------

void Variants::make(std::vector<PlannedVariant> plan, std::function<void()> made, OnPlaces scanned) {
  made_ = std::move(made);
  scanned_ = std::move(scanned);
  to_be_made_ = plan.size() + 1;
  round_trip_ = std::make_unique<Variant>();
  round_trip_->plan = plan_for({}, options_, optimizer_);
  round_trip_->plan.recipe.repeat = Repeat::once;
  for (PlannedVariant& planned : plan) all_.emplace_back().plan = std::move(planned);
  ask_for(0, true);
}

std::size_t Variants::add(std::vector<PlannedVariant> plan) {
  const std::size_t first = all_.size();
  for (PlannedVariant& planned : plan) all_.emplace_back().plan = std::move(planned);
  if (first == all_.size()) return first;
  const bool is_only_run = runs_in_session(all_[first].plan.recipe) && all_[first].plan.is_for_search;
  is_only_run ? begin_in_session(order_from(first)) : ask_for(first, false);
  return first;
}

void Variants::ask_for(std::size_t first, bool with_round_trip) {
  OptimizeJob job = making_job(model_, options_, {});
  job.folder = folder_ / "variants";
  if (with_round_trip && scanned_) job.most_places = most_places;
  if (with_round_trip) job.recipes.push_back(round_trip_->plan.recipe);
  const std::vector<std::size_t> order = order_from(first);
  for (const std::size_t i : order) job.recipes.push_back(all_[i].plan.recipe);
  if (!with_round_trip) {
    for (const std::size_t i : order) job.rewrites.push_back(all_[i].plan.rewrites);
  }
  const std::size_t before = with_round_trip ? 1 : 0;
  dispatcher_.optimize(
      std::move(job),
      [this, first, with_round_trip](const ImportOutcome& outcome) { imported(outcome, first, with_round_trip); },
      [this, order, before](const VariantOutcome& outcome) {
        arrived(outcome.recipe < before ? *round_trip_ : all_.at(order.at(outcome.recipe - before)), outcome);
      },
      [this](const ScanOutcome& outcome) { scanned_(outcome.places); });
}

void Variants::begin_in_session(const std::vector<std::size_t>& numbers) {
  VariantOutcome nothing_saved;
  nothing_saved.interface = model_.interface;
  for (const std::size_t i : numbers) arrived(all_[i], nothing_saved);
}

/// In the order of the plan; where time may run short, what users run is made first.
std::vector<std::size_t> Variants::order_from(std::size_t first) const {
  std::vector<std::size_t> order;
  for (std::size_t i = first; i < all_.size(); ++i) order.push_back(i);
  if (dispatcher_.is_limited())
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return priority_of(all_[i]) == Priority::recipe; });
  return order;
}

void Variants::imported(const ImportOutcome& outcome, std::size_t first, bool with_round_trip) {
  if (with_round_trip) {
    import_ = outcome;
    if (outcome.failure.failed()) import_result_.judgement = judge_import(outcome.failure, options_);
    if (outcome.failure.failed() && scanned_) scanned_({});
    return;
  }
  if (!outcome.failure.failed()) return;
  VariantOutcome none;  // it could be imported before: each of these failed for itself
  none.failure = outcome.failure;
  for (std::size_t i = first; i < all_.size(); ++i) arrived(all_[i], none);
}

void Variants::arrived(Variant& variant, const VariantOutcome& outcome) {
  if (variant.is_made) return;
  variant.is_made = true;
  variant.outcome = outcome;
  waiting_.push_back(&variant);
  settle_arrived();
  if (to_be_made_ > 0 && --to_be_made_ == 0 && made_) made_();
}

void Variants::judge(Judging& by) {
  by_ = &by;
  settle_arrived();
}

/// Nothing can be shared with the round trip before that is there.
void Variants::settle_arrived() {
  if (by_ == nullptr || !round_trip_ || !round_trip_->is_made) return;
  const auto ready = std::exchange(waiting_, {});
  for (Variant* variant : ready) settle(*variant);
}

/// Finds out with whom a variant is shared, and runs it if it is the first of its kind.
void Variants::settle(Variant& variant) {
  const VariantOutcome& outcome = variant.outcome;
  const bool is_round_trip = &variant == round_trip_.get();
  if (is_round_trip) run_as_exported();
  const VariantOutcome& trip = round_trip_->outcome;
  const bool trip_exists = !trip.failure.failed() && !trip.skipped_by_scan;
  const bool is_in_session = runs_in_session(variant.plan.recipe);
  const bool is_trip = !is_round_trip && trip_exists && outcome.fingerprint == trip.fingerprint;
  if (!outcome.failure.failed() && !is_in_session) {
    if (!outcome.skipped_by_scan && outcome.fingerprint == import_.original) {
      variant.same_as = SameAs::original;
    } else if (outcome.skipped_by_scan || is_trip) {
      variant.same_as = SameAs::round_trip;
    }
  }
  if (variant.same_as != SameAs::none) return decided(variant);
  const Key key = key_of(variant);
  if (auto refusal = refusal_of(variant)) {
    auto result = std::make_shared<VariantResult>();
    if (!outcome.failure.failed()) result = refused_.emplace(key, result).first->second;
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
Variants::Key Variants::key_of(const Variant& variant) const {
  const Recipe& recipe = variant.plan.recipe;
  if (!runs_in_session(recipe)) return {variant.outcome.fingerprint, variant.plan.contract};
  return {hash128(recipe.level + ";" + join(recipe.disabled, ";")), variant.plan.contract};
}

/// What the optimizer or the checker refuses. What runs in a session is judged there alone, for not being saved is no
/// fault, and what cannot be loaded fails there as well.
std::optional<Judgement> Variants::refusal_of(const Variant& variant) const {
  if (runs_in_session(variant.plan.recipe)) return std::nullopt;
  return judge_making(variant.outcome, variant.plan.contract, by_->reference, import_.checker_complaint);
}

RunnablePtr Variants::runnable_of(const Variant& variant) const {
  if (runs_in_session(variant.plan.recipe)) return runnable_in_session(variant.plan.recipe, by_->reference);
  return runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, by_->reference);
}

void Variants::decided(const Variant& variant) {
  ++decided_;
  if (progress_) progress_(decided_, all_.size() + 1, name_of(variant.plan));
}

// --- running ------------------------------------------------------------------------------------------------------

fs::path Variants::new_folder() { return folder_ / "outputs" / std::to_string(folders_++); }

void Variants::run(const Variant& variant, DistinctVariant& distinct) {
  distinct.made = runnable_of(variant);
  if (distinct.made->in_session && !variant.outcome.file.empty())
    distinct.saved = runnable(variant.outcome.file, variant.outcome.interface, variant.plan.contract, by_->reference);
  distinct.name = name_of(variant.plan);
  distinct.is_for_search = variant.plan.is_for_search;
  distinct.outputs_folder = new_folder();
  run_and_judge(dispatcher_, by_->judge, distinct.made,
                job_for(*distinct.made, by_->reference, distinct.outputs_folder),
                [this, &distinct](Judgement judgement, const RunOutcome& outcome) {
                  distinct.outputs = outcome.outputs;
                  distinct.result->judgement = std::move(judgement);
                  judged(distinct);
                },
                {priority_of(variant), name_of(variant.plan)});
}

Priority Variants::priority_of(const Variant& variant) const {
  if (needed_ && (&variant == round_trip_.get() || key_of(variant) == key_of(all_[*needed_]))) return Priority::always;
  if (&variant == round_trip_.get()) return Priority::round_trip;
  if (variant.plan.is_for_search) return Priority::search;
  return variant.plan.is_bundle || variant.plan.recipe.passes.size() > 1 ? Priority::recipe : Priority::single;
}

bool Variants::faulty(const VariantResult& result) const { return is_fault(result.judgement.verdict, options_.strict); }

void Variants::judged(DistinctVariant& distinct) {
  distinct.is_judged = true;
  for (const Variant& variant : all_) {
    if (variant.result == distinct.result) decided(variant);
  }
  const bool is_round_trip = round_trip_->result == distinct.result;
  if (is_round_trip) {
    decided(*round_trip_);
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
void Variants::deploy(const DistinctVariant& distinct) {
  const Verdict verdict = distinct.result->judgement.verdict;
  if (is_fault(verdict, options_.strict) || verdict == Verdict::inconclusive) return;
  if (distinct.made->in_session) return run_saved(distinct);
  const bool is_round_trip = round_trip_->result == distinct.result;
  by_->deploy_level.run({distinct.made, job_for(*distinct.made, by_->reference, {}), distinct.result, is_round_trip,
                         distinct.name, distinct.is_for_search});
}

/// Users ship that, too: it must mean the same where nothing is optimized any more.
void Variants::run_saved(const DistinctVariant& distinct) {
  if (distinct.saved == nullptr || distinct.is_for_search) return;
  const fs::path folder = new_folder();
  run_and_judge(dispatcher_, by_->judge, distinct.saved, job_for(*distinct.saved, by_->reference, folder),
                [result = distinct.result, folder](Judgement judgement, const RunOutcome&) {
                  result->saved = std::make_shared<VariantResult>();
                  result->saved->judgement = std::move(judgement);
                  remove_folder(folder);
                },
                {Priority::deploy_level, distinct.name + ", as it was saved"});
}

void Variants::deploy_on_all(const Variant& variant) {
  const auto& result = variant.same_as == SameAs::round_trip ? round_trip_->result : variant.result;
  if (result) by_->deploy_level.run_on_all(result);
}

/// Where both are wrong: is it with the same values? Drops the outputs as soon as that is known.
void Variants::compare_with_round_trip(DistinctVariant& distinct) {
  if (distinct.outputs_folder.empty()) return;
  const auto trip =
      std::ranges::find_if(distinct_, [&](const auto& entry) { return entry.second->result == round_trip_->result; });
  const bool trip_runs = trip != distinct_.end();
  if (trip_runs && !trip->second->is_judged && faulty(*distinct.result)) return;  // asked again when it is
  if (trip_runs && trip->second->is_judged && faulty(*distinct.result) && faulty(*trip->second->result)) {
    const Comparison between = compare(
        trip->second->outputs, distinct.outputs, distinct.made->binding.outputs, distinct.made->contract, options_,
        &by_->judge.known(), most_of(distinct.result->judgement.draws, trip->second->result->judgement.draws));
    distinct.result->as_round_trip =
        wrong_as_round_trip(distinct.result->judgement.measurements, trip->second->result->judgement.measurements,
                            between.measurements, options_.strict);
  }
  remove_folder(std::exchange(distinct.outputs_folder, {}));
}

// --- what came of it ----------------------------------------------------------------------------------------------

std::vector<DistinctRun> Variants::distinct_runs() const {
  std::vector<DistinctRun> runs;
  if (import_.failure.failed()) return runs;
  std::vector<const Variant*> all = {round_trip_.get()};
  for (const Variant& variant : all_) all.push_back(&variant);
  for (const Variant* variant : all) {
    const auto at = distinct_.find(key_of(*variant));
    if (at == distinct_.end() || at->second->result != variant->result || !at->second->is_judged) continue;
    const bool known = std::ranges::find(runs, variant->result, &DistinctRun::result) != runs.end();
    if (known || at->second->made->contract == Contract::partition) continue;
    runs.push_back({job_for(*at->second->made, by_->reference, {}), variant->result});
  }
  return runs;
}

Verdict Variants::verdict_on(const Variant& variant) const {
  return variant.result ? verdict_of(*variant.result) : Verdict::unchanged;
}

const VariantResult* Variants::failing(const Variant& variant) const {
  const bool strict = options_.strict;
  const VariantResult* result = variant.result.get();
  if (result == nullptr || is_fault(verdict_of(*result), strict)) return result;
  const VariantResult* deployed = result->deployed.get();
  return deployed != nullptr && is_fault(verdict_of(*deployed), strict) ? deployed : nullptr;
}

bool Variants::fails_deployed(const Variant& variant) const {
  return variant.result && variant.result->deployed && failing(variant) == variant.result->deployed.get();
}

bool Variants::follows_round_trip(const Variant& variant) const {
  const VariantResult* own = failing(variant);
  const VariantResult* trip = failing(*round_trip_);
  if (&variant == round_trip_.get() || own == nullptr || trip == nullptr) return false;
  if (fails_deployed(variant) != fails_deployed(*round_trip_)) return false;
  if (own->as_round_trip) return true;
  return own->judgement.measurements.empty() && own->judgement.verdict == trip->judgement.verdict &&
         own->judgement.error == trip->judgement.error;
}

}  // namespace culprit
