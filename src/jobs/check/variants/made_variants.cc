#include "check/variants/made_variants.h"

#include <algorithm>
#include <utility>

#include "trial/variant_run.h"

namespace culprit {
namespace {

constexpr std::size_t most_places = 64;  // that the scan names

}  // namespace

Priority priority_of(const PlannedVariant& plan) {
  if (plan.is_for_search) return Priority::search;
  return plan.is_bundle || plan.recipe.passes.size() > 1 ? Priority::recipe : Priority::single;
}

MadeVariants::MadeVariants(VariantSetting setting) : setting_(std::move(setting)) {}

void MadeVariants::make(std::vector<PlannedVariant> plan, std::function<void()> made, const OnPlaces& scanned) {
  round_trip_.plan = plan_for({}, setting_.options, setting_.optimizer);
  round_trip_.plan.recipe.repeat = Repeat::once;
  const std::size_t to_be_made = plan.size() + 1;
  for (PlannedVariant& planned : plan) all_.emplace_back().plan = std::move(planned);
  ask_for({.with_round_trip = true, .made = std::move(made), .to_be_made = to_be_made}, scanned);
}

std::size_t MadeVariants::add(std::vector<PlannedVariant> plan) {
  const std::size_t first = all_.size();
  for (PlannedVariant& planned : plan) all_.emplace_back().plan = std::move(planned);
  if (first == all_.size()) return first;
  const bool is_only_run = runs_in_session(all_[first].plan.recipe) && all_[first].plan.is_for_search;
  is_only_run ? begin_in_session(order_from(first)) : ask_for({.first = first, .made = {}}, {});
  return first;
}

void MadeVariants::ask_for(Asked asked, const OnPlaces& scanned) {
  OptimizeJob job = making_job(setting_.model, setting_.options, {});
  job.folder = setting_.folder / "variants";
  if (scanned) job.most_places = most_places;
  if (asked.with_round_trip) job.recipes.push_back(round_trip_.plan.recipe);
  const std::vector<std::size_t> order = order_from(asked.first);
  for (const std::size_t i : order) job.recipes.push_back(all_[i].plan.recipe);
  if (!asked.with_round_trip) {
    for (const std::size_t i : order) job.rewrites.push_back(all_[i].plan.rewrites);
  }
  const std::size_t before = asked.with_round_trip ? 1 : 0;
  const auto shared = std::make_shared<Asked>(std::move(asked));
  setting_.dispatcher.optimize(
      std::move(job), [this, shared, scanned](const ImportOutcome& outcome) { imported(outcome, *shared, scanned); },
      [this, shared, order, before](const VariantOutcome& outcome) {
        arrived(outcome.recipe < before ? round_trip_ : all_.at(order.at(outcome.recipe - before)), outcome);
        if (shared->to_be_made > 0 && --shared->to_be_made == 0 && shared->made) shared->made();
      },
      [scanned](const ScanOutcome& outcome) { scanned(outcome.places); });
}

void MadeVariants::begin_in_session(const std::vector<std::size_t>& numbers) {
  VariantOutcome nothing_saved;
  nothing_saved.interface = setting_.model.interface;
  for (const std::size_t i : numbers) arrived(all_[i], nothing_saved);
}

/// In the order of the plan; where time may run short, what users run is made first.
std::vector<std::size_t> MadeVariants::order_from(std::size_t first) const {
  std::vector<std::size_t> order;
  for (std::size_t i = first; i < all_.size(); ++i) order.push_back(i);
  if (setting_.dispatcher.is_limited())
    std::stable_partition(order.begin(), order.end(),
                          [&](std::size_t i) { return priority_of(all_[i].plan) == Priority::recipe; });
  return order;
}

void MadeVariants::imported(const ImportOutcome& outcome, const Asked& asked, const OnPlaces& scanned) {
  if (asked.with_round_trip) {
    import_ = outcome;
    if (outcome.failure.failed() && scanned) scanned({});
    return;
  }
  if (!outcome.failure.failed()) return;
  VariantOutcome none;  // it could be imported before: each of these failed for itself
  none.failure = outcome.failure;
  for (std::size_t i = asked.first; i < all_.size(); ++i) arrived(all_[i], none);
}

void MadeVariants::arrived(Variant& variant, const VariantOutcome& outcome) {
  if (variant.is_made) return;
  variant.is_made = true;
  variant.outcome = outcome;
  take_ ? take_(variant) : not_taken_.push_back(&variant);
}

void MadeVariants::hand_to(OnMadeVariant take) {
  take_ = std::move(take);
  for (Variant* variant : std::exchange(not_taken_, {})) take_(*variant);
}

void MadeVariants::keep(std::size_t variant, const std::string& reason, const std::string& made_as) {
  PlannedVariant& plan = all_.at(variant).plan;
  if (!std::exchange(plan.is_for_search, false)) return;
  plan.reason = reason, plan.made_as = made_as;
  if (runs_in_session(plan.recipe)) make_late(all_.at(variant));
}

/// For the report, and for those who want the file.
void MadeVariants::make_late(Variant& variant) {
  OptimizeJob job = making_job(setting_.model, setting_.options, {variant.plan.recipe});
  job.folder = setting_.folder / "variants";
  setting_.dispatcher.optimize(
      std::move(job),
      [&variant](const ImportOutcome& outcome) {
        if (outcome.failure.failed()) variant.outcome.failure = outcome.failure;
      },
      [&variant](const VariantOutcome& outcome) { variant.outcome = outcome; });
}

}  // namespace culprit
