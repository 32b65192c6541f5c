#include "check/explain/explain_recipe.h"

#include <algorithm>
#include <string_view>

#include "base/text.h"

namespace culprit {
namespace {

constexpr const char* search_name = "the search for the safe list";

const std::string& pass_of(const Variant& single) { return single.plan.recipe.passes.front(); }

/// Variants that fail with one pass of the recipe alone, at the level at which the recipe fails: what is right at the
/// reference's level does not account for a failure there, nor the other way round.
std::vector<std::size_t> failing_alone(const JudgedVariants& variants, const Variant& whole) {
  const Passes& recipe = whole.plan.recipe.passes;
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < variants.all().size(); ++i) {
    const Variant& alone = variants.all()[i];
    if (!is_single(alone) || !holds(recipe, pass_of(alone)) || !blames_passes(variants, alone)) continue;
    if (variants.fails_deployed(alone) == variants.fails_deployed(whole)) failing.push_back(i);
  }
  return failing;
}

}  // namespace

bool is_clean(const JudgedVariants& variants, const Variant& variant) {
  const bool is_as_the_trip = variants.verdict_on(variant) == Verdict::unchanged && variant.same_as != SameAs::original;
  const Variant& ran = is_as_the_trip ? variants.round_trip() : variant;
  return variants.verdict_on(ran) != Verdict::inconclusive && !variants.is_faulty(ran);
}

bool blames_passes(const JudgedVariants& variants, const Variant& variant) {
  return variants.is_faulty(variant) && !variants.follows_round_trip(variant);
}

RecipeAnswer answer_of(const JudgedVariants& variants, const Variant& variant) {
  if (is_clean(variants, variant)) return {RecipeAnswer::State::clean};
  if (!blames_passes(variants, variant)) return {};
  return answer_of(variants.failing(variant)->judgement,
                   variants.fails_deployed(variant) ? variants.deploy_level().level() : "");
}

RecipeAnswer answer_of(const Judgement& judgement, const std::string& level) {
  const std::string at = level.empty() ? "" : " at " + level;
  const std::string verdict = std::string(name_of(judgement.verdict)) + at;
  return {RecipeAnswer::State::fails, verdict + " | " + judgement.error, verdict};
}

PlannedVariant RecipeSearch::trial_of(const Passes& passes) const {
  PlannedVariant trial = plan_for(passes, options_, optimizer_);
  trial.is_for_search = true;
  trial.reason = "looking for what fails together";
  return trial;
}

bool RecipeSearch::is_known(const Passes& passes) const {
  const Recipe recipe = trial_of(passes).recipe;
  return std::ranges::any_of(variants_.all(), [&](const Variant& variant) { return is_of(variant, recipe); });
}

Result<std::size_t> RecipeSearch::number_of(const Passes& passes) {
  const auto& numbers = variants_.all();
  PlannedVariant trial = trial_of(passes);
  const auto known =
      std::ranges::find_if(numbers, [&](const Variant& variant) { return is_of(variant, trial.recipe); });
  if (known != numbers.end()) return static_cast<std::size_t>(known - numbers.begin());
  return variants_.add({std::move(trial)});
}

Result<RecipeAnswer> RecipeSearch::show(const Passes& passes) {
  if (passes.empty()) {  // of the round trip, and so never of a pass
    return is_clean(variants_, variants_.round_trip()) ? RecipeAnswer{RecipeAnswer::State::clean} : RecipeAnswer{};
  }
  if (!is_known(passes) && dispatcher_.must_skip(search_name)) return RecipeAnswer{.skipped = true};
  const auto number = number_of(passes);
  if (!number) return tl::unexpected(number.error());
  if (auto ok = variants_.deploy_on_all({&variant_at(*number)}); !ok) return tl::unexpected(ok.error());
  return answer_of(variants_, variant_at(*number));
}

Result<RecipeAnswer> RecipeSearch::show_again(const Passes& passes) {
  const auto number = number_of(passes);
  if (!number) return tl::unexpected(number.error());
  if (auto ok = variants_.confirm(*number); !ok) return tl::unexpected(ok.error());
  return answer_of(variants_, variant_at(*number));
}

Result<void> RecipeSearch::try_passes_alone(const Passes& recipe) {
  std::vector<PlannedVariant> alone;
  Passes tried;
  for (const Variant& variant : variants_.all()) {
    if (is_single(variant)) tried.push_back(pass_of(variant));
  }
  for (const std::string& pass : recipe) {
    if (holds(tried, pass) || !optimizer_.tries_steps_alone()) continue;
    tried.push_back(pass);
    alone.push_back(plan_for({pass}, options_, optimizer_));
    alone.back().reason = "alone, because the whole list fails";
  }
  if (!alone.empty() && !dispatcher_.must_skip(search_name)) {
    if (auto ok = variants_.add(std::move(alone)); !ok) return tl::unexpected(ok.error());
  }
  return look_at_all_samples(recipe);
}

/// A recipe may fail at the deploy level on a late sample: then passes alone, and the round trip, must see that too.
Result<void> RecipeSearch::look_at_all_samples(const Passes& recipe) {
  const auto whole = number_of(recipe);
  if (!whole) return tl::unexpected(whole.error());
  if (variants_.fails_deployed(variant_at(*whole))) {
    std::vector<const Variant*> parts = {&variants_.round_trip()};
    for (const Variant& variant : variants_.all()) {
      if (is_single(variant) && holds(recipe, pass_of(variant))) parts.push_back(&variant);
    }
    if (auto ok = variants_.deploy_on_all(parts); !ok) return ok;
  }
  return variants_.confirm();
}

/// Passes that change something alone: where to look first. A runtime says itself what touched the model; where it was
/// refused on the way, that is only a part.
Passes RecipeSearch::changing_alone(const Variant& whole) const {
  if (optimizer_.is_runtime()) return suspects_of(optimizer_, whole.outcome.touched);
  Passes changing;
  for (const Variant& variant : variants_.all()) {
    if (is_single(variant) && variant.same_as == SameAs::none) changing.push_back(pass_of(variant));
  }
  return changing;
}

KnownPlaces RecipeSearch::known_places(const Explanation& explanation, const Subset& fit) const {
  const Passes& recipe = variant_at(explanation.recipe).plan.recipe.passes;
  Passes failing;
  for (const std::size_t i : explanation.failing) failing.push_back(pass_of(variant_at(i)));
  const Passes changing = changing_alone(variant_at(explanation.recipe));
  KnownPlaces known;
  for (std::size_t place = 0; place < recipe.size(); ++place) {
    if (!std::ranges::binary_search(fit, place)) known.unfit.push_back(place);
    if (holds(failing, recipe[place])) known.failing.push_back(place);
    if (holds(changing, recipe[place])) known.suspects.push_back(place);
  }
  return known;
}

std::string RecipeSearch::name_without(const Explanation& explanation) const {
  const Variant& whole = variant_at(explanation.recipe);
  Passes left_out;
  for (const LeftOutPlace& one : explanation.search.left_out) {
    const std::string& pass = whole.plan.recipe.passes[one.place];
    if (!holds(left_out, pass)) left_out.push_back(pass);
  }
  return kind_of(whole.plan.recipe, whole.plan.is_bundle) + " without " + join(left_out, ", ");
}

Result<std::size_t> RecipeSearch::keep(const Passes& passes, const std::string& reason, const std::string& made_as) {
  auto number = number_of(passes);
  if (!number) return number;
  return variants_.keep(*number, reason, made_as).map([&] { return *number; });
}

/// `rest`: the recipe without the passes that fail alone; empty where that was not asked for.
Result<void> RecipeSearch::keep_evidence(Explanation& explanation, const Passes& rest) {
  const Variant& whole = variant_at(explanation.recipe);
  const Recipe whole_recipe = whole.plan.recipe;
  const Passes& recipe = whole_recipe.passes;
  const std::string name = kind_of(whole_recipe, whole.plan.is_bundle);
  if (!rest.empty() && (is_known(rest) || !dispatcher_.spent())) {
    Passes failing;
    for (const std::size_t i : explanation.failing) failing.push_back(pass_of(variant_at(i)));
    const std::string without = " without " + join(failing, ", ");
    const bool is_named = whole.plan.is_bundle || is_whole_level(whole_recipe);
    constexpr std::string_view article = "the ";
    const std::string made_as = (name.starts_with(article) ? name.substr(article.size()) : name) + without;
    if (auto kept = keep(rest, name + without, is_named ? made_as : ""); !kept) return tl::unexpected(kept.error());
  }
  for (const auto& [minimal, found_in] : explanation.search.interactions) {
    const auto in = number_of(passes_at(recipe, found_in));
    auto shown = in;
    if (minimal.confirmed)
      shown = keep(passes_at(recipe, minimal.places), "the smallest part of " + name + " that fails");
    if (!shown || !in) return tl::unexpected(shown ? in.error() : shown.error());
    if (!minimal.confirmed) {
      if (auto ok = variants_.keep(*in, "a part of " + name); !ok) return ok;
    }
    explanation.shown_by.push_back({*shown, *in});
  }
  if (explanation.search.end != SafeSearch::End::verified) return {};
  const auto safe =
      keep(passes_at(recipe, explanation.search.kept), "the safe list, " + name_without(explanation), "the safe list");
  if (!safe) return tl::unexpected(safe.error());
  explanation.safe = *safe;
  return {};
}

Subset RecipeSearch::fit_places(const Passes& recipe) const {
  Subset fit;
  for (std::size_t place = 0; place < recipe.size(); ++place) {
    if (plan_for({recipe[place]}, options_, optimizer_).contract != Contract::partition) fit.push_back(place);
  }
  return fit;
}

Result<Explanation> RecipeSearch::explain(const Recipe& recipe) {
  Explanation explanation;
  const Passes& passes = recipe.passes;
  const auto number = number_of(passes);
  if (!number) return tl::unexpected(number.error());
  explanation.recipe = *number;
  RecipeQuestions trials([this](const Passes& tried) { return show(tried); },
                         [this](const Passes& tried) { return show_again(tried); }, options_.most_trials,
                         optimizer_.ordered);
  const Subset fit = fit_places(passes);
  const bool fails = trials.show(passes_at(passes, fit)).state == RecipeAnswer::State::fails;
  if (fails) {
    if (auto ok = try_passes_alone(passes_at(passes, fit)); !ok) return tl::unexpected(ok.error());
    const auto whole = number_of(passes_at(passes, fit));
    if (!whole) return tl::unexpected(whole.error());
    explanation.failing = failing_alone(variants_, variant_at(*whole));
  }
  const KnownPlaces known = known_places(explanation, fit);
  explanation.search = find_safe_recipe(trials, passes, known);
  if (trials.error()) return tl::unexpected(*trials.error());
  Subset rest;
  std::ranges::set_difference(fit, known.failing, std::back_inserter(rest));
  if (!fails || rest == fit) rest.clear();
  if (auto ok = keep_evidence(explanation, passes_at(passes, rest)); !ok) return tl::unexpected(ok.error());
  return explanation;
}

}  // namespace culprit
