#include "check/external/which_pass_made_it.h"

#include <algorithm>

#include "check/external/external_executor.h"
#include "executor/dispatcher.h"
#include "trial/plain_reason.h"
#include "trial/variant_run.h"

namespace culprit {
namespace {

/// The round trip first: a pass that changes nothing makes that too, and made no more than that.
std::vector<Recipe> recipes_of(const OptimizerTraits& optimizer) {
  std::vector<Recipe> recipes = {recipe_of(optimizer, {})};
  std::vector<std::string> bundle;
  for (const PassInfo& pass : optimizer.steps) {
    if (pass.kind != "container") recipes.push_back(recipe_of(optimizer, {pass.name}));
    if (pass.in_bundle) bundle.push_back(pass.name);
  }
  for (const StepBundle& level : optimizer.bundles)
    recipes.push_back(recipe_of(optimizer, level.steps, Repeat::once, level.name));
  if (bundle.empty() || optimizer.is_runtime()) return recipes;
  recipes.push_back(recipe_of(optimizer, bundle));
  recipes.push_back(recipe_of(optimizer, bundle, Repeat::library));
  return recipes;
}

}  // namespace

Result<Making> find_making(const Model& original, const Model& variant, const CheckOptions& options,
                           const CheckTools& tools) {
  if (tools.progress) tools.progress(0, 0, "what the passes make, against the variant");
  const bool is_late = is_stopped(tools.is_time_up);
  const auto recipes = is_late ? std::vector<Recipe>() : recipes_of(tools.optimizer);
  Making making;
  ImportOutcome look;
  std::vector<std::optional<Hash128>> made(recipes.size());
  std::string unmade;
  Dispatcher dispatcher(tools.executor);
  dispatcher.optimize(
      making_job(original, options, recipes), [&](const ImportOutcome& outcome) { making.original = outcome; },
      [&](const VariantOutcome& outcome) {
        if (!outcome.failure.failed() && !outcome.skipped_by_scan) made.at(outcome.recipe) = outcome.fingerprint;
      });
  dispatcher.optimize(
      making_job(variant, options, {}), [&](const ImportOutcome& outcome) { look = outcome; },
      [](const VariantOutcome&) {});
  if (auto ok = dispatcher.drain(); !ok) return tl::unexpected(ok.error());

  GivenRecord& given = making.given;
  const Hash128 fingerprint = fingerprint_of(look, variant);
  given.model = variant.facts;
  given.fingerprint = fingerprint.hex();
  if (is_late) given.message = "the time was up";
  if (making.original.failure.failed())
    given.message = "the optimizer does not import the model: " + failure_text(making.original.failure, options.limits);
  else
    given.tried = static_cast<std::int64_t>(recipes.size());
  const auto at = std::ranges::find(made, std::optional(fingerprint));
  const bool is_original = fingerprint == fingerprint_of(making.original, original);
  if (at != made.end() && !is_original) given.made_by = recipes[static_cast<std::size_t>(at - made.begin())];
  return making;
}

}  // namespace culprit
