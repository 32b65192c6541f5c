#include "check/recipe_search.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

constexpr const char* search_name = "the search for what is left of the recipe";

const std::string& pass_of(const Attempt& single) { return single.plan.recipe.passes.front(); }

/// Attempts that fail with one pass of the recipe alone, at the level at which the recipe fails: what is right at the
/// reference's level does not account for a failure there, nor the other way round.
std::vector<std::size_t> failing_alone(const Study& study, const Attempt& whole) {
  const Passes& recipe = whole.plan.recipe.passes;
  std::vector<std::size_t> failing;
  for (std::size_t i = 0; i < study.attempts().size(); ++i) {
    const Attempt& alone = study.attempts()[i];
    if (!is_single(alone) || !holds(recipe, pass_of(alone)) || !blames_passes(study, alone)) continue;
    if (study.fails_deployed(alone) == study.fails_deployed(whole)) failing.push_back(i);
  }
  return failing;
}

}  // namespace

bool is_clean(const Study& study, const Attempt& attempt) {
  const bool is_as_the_trip = study.verdict_on(attempt) == Verdict::unchanged && attempt.same_as != "original";
  const Attempt& ran = is_as_the_trip ? study.round_trip() : attempt;
  return study.verdict_on(ran) != Verdict::inconclusive && !study.is_faulty(ran);
}

bool blames_passes(const Study& study, const Attempt& attempt) {
  return study.is_faulty(attempt) && !study.follows_round_trip(attempt);
}

Showing showing_of(const Study& study, const Attempt& attempt) {
  if (is_clean(study, attempt)) return {Showing::State::clean};
  if (!blames_passes(study, attempt)) return {};
  return showing_of(study.failing(attempt)->judgement, study.fails_deployed(attempt) ? study.deployment().level() : "");
}

Showing showing_of(const Judgement& judgement, const std::string& level) {
  const std::string at = level.empty() ? "" : " at " + level;
  return {Showing::State::fails, std::string(name_of(judgement.verdict)) + at + " | " + judgement.error};
}

bool RecipeSearch::is_known(const Passes& passes) const {
  return std::ranges::any_of(study_.attempts(), [&](const Attempt& attempt) { return is_of(attempt, passes); });
}

Result<std::size_t> RecipeSearch::attempt_of(const Passes& passes) {
  const auto& attempts = study_.attempts();
  const auto known = std::ranges::find_if(attempts, [&](const Attempt& attempt) { return is_of(attempt, passes); });
  if (known != attempts.end()) return static_cast<std::size_t>(known - attempts.begin());
  PlannedVariant trial = plan_for(passes, options_, passes_);
  trial.is_trial = true;
  trial.reason = "looking for the passes that fail together";
  const std::size_t number = study_.add({std::move(trial)});
  if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
  return number;
}

Result<Showing> RecipeSearch::show(const Passes& passes) {
  if (passes.empty()) {  // of the round trip, and so never of a pass
    return is_clean(study_, study_.round_trip()) ? Showing{Showing::State::clean} : Showing{};
  }
  if (!is_known(passes) && desk_.must_skip(search_name)) return Showing{};
  const auto number = attempt_of(passes);
  if (!number) return tl::unexpected(number.error());
  study_.deploy_on_all(attempt_at(*number));
  if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
  return showing_of(study_, attempt_at(*number));
}

Result<Showing> RecipeSearch::show_again(const Passes& passes) {
  const auto number = attempt_of(passes);
  if (!number) return tl::unexpected(number.error());
  study_.confirm(*number);
  if (auto ok = desk_.drain(); !ok) return tl::unexpected(ok.error());
  return showing_of(study_, attempt_at(*number));
}

Result<void> RecipeSearch::try_passes_alone(const Passes& recipe) {
  std::vector<PlannedVariant> alone;
  Passes tried;
  for (const Attempt& attempt : study_.attempts()) {
    if (is_single(attempt)) tried.push_back(pass_of(attempt));
  }
  for (const std::string& pass : recipe) {
    if (holds(tried, pass)) continue;
    tried.push_back(pass);
    alone.push_back(plan_for({pass}, options_, passes_));
    alone.back().reason = "alone, because the recipe fails";
  }
  if (!alone.empty() && !desk_.must_skip(search_name)) study_.add(std::move(alone));
  if (auto ok = desk_.drain(); !ok) return ok;
  return look_at_all_samples(recipe);
}

/// A recipe may fail at the deploy level on a late sample: then passes alone, and the round trip, must see that too.
Result<void> RecipeSearch::look_at_all_samples(const Passes& recipe) {
  const auto whole = attempt_of(recipe);
  if (!whole) return tl::unexpected(whole.error());
  if (study_.fails_deployed(attempt_at(*whole))) {
    study_.deploy_on_all(study_.round_trip());
    for (const Attempt& attempt : study_.attempts()) {
      if (is_single(attempt) && holds(recipe, pass_of(attempt))) study_.deploy_on_all(attempt);
    }
  }
  if (auto ok = desk_.drain(); !ok) return ok;
  study_.confirm();
  return desk_.drain();
}

KnownPlaces RecipeSearch::known_places(const Explanation& explanation, const Subset& fit) const {
  const Passes& recipe = attempt_at(explanation.recipe).plan.recipe.passes;
  Passes failing, changing;
  for (const std::size_t i : explanation.failing) failing.push_back(pass_of(attempt_at(i)));
  for (const Attempt& attempt : study_.attempts()) {
    if (is_single(attempt) && attempt.same_as.empty()) changing.push_back(pass_of(attempt));
  }
  KnownPlaces known;
  for (std::size_t place = 0; place < recipe.size(); ++place) {
    if (!std::ranges::binary_search(fit, place)) known.unfit.push_back(place);
    if (holds(failing, recipe[place])) known.failing.push_back(place);
    if (holds(changing, recipe[place])) known.suspects.push_back(place);
  }
  return known;
}

std::string RecipeSearch::name_without(const Explanation& explanation) const {
  const Attempt& whole = attempt_at(explanation.recipe);
  Passes left_out;
  for (const LeftOutPlace& one : explanation.search.left_out) {
    const std::string& pass = whole.plan.recipe.passes[one.place];
    if (!holds(left_out, pass)) left_out.push_back(pass);
  }
  return std::string(whole.plan.is_bundle ? "the bundle" : "the recipe") + " without " + join(left_out, ", ");
}

Result<std::size_t> RecipeSearch::keep(const Passes& passes, const std::string& reason) {
  auto number = attempt_of(passes);
  if (number) study_.keep(*number, reason);
  return number;
}

/// `rest`: the recipe without the passes that fail alone; empty where that was not asked for.
Result<void> RecipeSearch::keep_evidence(Explanation& explanation, const Passes& rest) {
  const Attempt& whole = attempt_at(explanation.recipe);
  const Passes recipe = whole.plan.recipe.passes;
  const std::string name = whole.plan.is_bundle ? "the bundle" : "the recipe";
  if (!rest.empty() && (is_known(rest) || !desk_.spent())) {
    Passes failing;
    for (const std::size_t i : explanation.failing) failing.push_back(pass_of(attempt_at(i)));
    if (auto kept = keep(rest, name + " without " + join(failing, ", ")); !kept) return tl::unexpected(kept.error());
  }
  for (const auto& [minimal, found_in] : explanation.search.interactions) {
    const auto in = attempt_of(passes_at(recipe, found_in));
    auto shown = in;
    if (minimal.confirmed)
      shown = keep(passes_at(recipe, minimal.places), "the smallest part of " + name + " that fails");
    if (!shown || !in) return tl::unexpected(shown ? in.error() : shown.error());
    if (!minimal.confirmed) study_.keep(*in, "a part of " + name);
    explanation.shown_by.push_back({*shown, *in});
  }
  if (explanation.search.end != SafeSearch::End::verified) return {};
  const auto safe = keep(passes_at(recipe, explanation.search.kept), "the safe recipe, " + name_without(explanation));
  if (!safe) return tl::unexpected(safe.error());
  explanation.safe = *safe;
  return {};
}

Subset RecipeSearch::fit_places(const Passes& recipe) const {
  Subset fit;
  for (std::size_t place = 0; place < recipe.size(); ++place) {
    if (plan_for({recipe[place]}, options_, passes_).contract != Contract::partition) fit.push_back(place);
  }
  return fit;
}

Result<Explanation> RecipeSearch::explain(const Recipe& recipe) {
  Explanation explanation;
  const Passes& passes = recipe.passes;
  const auto number = attempt_of(passes);
  if (!number) return tl::unexpected(number.error());
  explanation.recipe = *number;
  RecipeTrials trials([this](const Passes& tried) { return show(tried); },
                      [this](const Passes& tried) { return show_again(tried); }, options_.most_trials);
  const Subset fit = fit_places(passes);
  const bool fails = trials.show(passes_at(passes, fit)).state == Showing::State::fails;
  if (fails) {
    if (auto ok = try_passes_alone(passes_at(passes, fit)); !ok) return tl::unexpected(ok.error());
    const auto whole = attempt_of(passes_at(passes, fit));
    if (!whole) return tl::unexpected(whole.error());
    explanation.failing = failing_alone(study_, attempt_at(*whole));
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
