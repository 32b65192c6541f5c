#include "reduce/fault_oracle.h"

#include <algorithm>

#include "base/text.h"
#include "optimizer/traits.h"
#include "trial/failure_signature.h"

namespace culprit {
namespace {

constexpr double shortest_patience = 2, as_long = 20;  // seconds, and times the starting case's
constexpr double shortest_glance = 0.5;                // seconds, at what times out
constexpr std::size_t most_parted = 4;                 // passes of a recipe whose parts are looked at

/// The round trip, and what is left of the recipe without each of its passes.
std::vector<TriedRecipe> others_than(const TriedRecipe& recipe, const CommandSpecPtr& program) {
  Recipe round_trip = recipe.recipe;
  while (!round_trip.passes.empty()) {
    const std::size_t last = round_trip.passes.size() - 1;
    round_trip = without_step(std::move(round_trip), last, program);
  }
  std::vector<TriedRecipe> others{{std::move(round_trip), Contract::equivalent}};
  const std::size_t passes = recipe.recipe.passes.size();
  for (std::size_t i = 0; passes > 1 && passes <= most_parted && i < passes; ++i)
    others.push_back({without_step(recipe.recipe, i, program), recipe.contract});
  return others;
}

Limits shortened(Limits limits, double seconds) {
  limits.cpu_seconds = limits.cpu_seconds > 0 ? std::min(limits.cpu_seconds, seconds) : seconds;
  return limits;
}

}  // namespace

FaultOracle::FaultOracle(Executor& executor, CaseTrialOptions options, std::filesystem::path folder)
    : executor_(executor), options_(std::move(options)), folder_(std::move(folder)), dispatcher_(executor) {}

std::unique_ptr<CaseTrial> FaultOracle::trial_of(const Case& a_case, std::vector<TriedRecipe> recipes, bool fresh) {
  return std::make_unique<CaseTrial>(dispatcher_, options_, a_case, std::move(recipes),
                                     folder_ / std::to_string(exams_++), fresh);
}

void FaultOracle::seek(SoughtFault sought) {
  options_.deploys = !sought.symptom.level.empty();
  options_.infers_types = sought.well_typed;
  const Limits& limits = options_.trial.limits;
  options_.patience = shortened(limits, shortest_patience + as_long * sought.seconds);
  if (sought.symptom.verdict == Verdict::timed_out) {
    // Once a while is spent, the rest of the limit tells little. What comes of it is looked at again, to the limit.
    options_.variant_limits = shortened(limits, shortest_glance + as_long * sought.seconds);
    options_.fresh_variant_limits = limits;
  } else {
    const double seconds = std::max(sought.seconds, sought.variant_seconds);
    options_.variant_limits = shortened(limits, shortest_patience + as_long * seconds);
    options_.fresh_variant_limits = options_.variant_limits;
  }
  sought_ = std::move(sought);
}

Result<void> FaultOracle::drain(std::span<const std::unique_ptr<CaseTrial>> trials) {
  if (auto ok = dispatcher_.drain(); !ok) return ok;
  for (const auto& trial : trials)
    if (trial->broken()) return tl::unexpected(*trial->broken());
  return {};
}

Result<std::optional<SoughtFault>> FaultOracle::learn(const Case& a_case, const TriedRecipe& recipe) {
  std::vector<TriedRecipe> recipes{recipe};
  const std::vector<TriedRecipe> others = others_than(recipe, options_.trial.program);
  recipes.insert(recipes.end(), others.begin(), others.end());
  options_.deploys = options_.trial.deploy_level != Level::off;
  options_.infers_types = true;
  const auto trial = trial_of(a_case, recipes, true);
  if (auto ok = trial->start(); !ok) return tl::unexpected(ok.error());
  trial->make_others();
  if (auto ok = drain({&trial, 1}); !ok) return tl::unexpected(ok.error());
  trial->judge_first();
  trial->judge_others();
  if (auto ok = drain({&trial, 1}); !ok) return tl::unexpected(ok.error());
  trial->deploy();
  if (auto ok = drain({&trial, 1}); !ok) return tl::unexpected(ok.error());
  symptom_ = trial->symptom(0);
  if (!trial->is_sound(trial->complaint()) || !is_fault(symptom_.verdict, options_.trial.strict)) return std::nullopt;
  SoughtFault sought;
  sought.recipe = recipe.recipe;
  sought.contract = recipe.contract;
  sought.symptom = symptom_;
  sought.finite = trial->is_finite();
  sought.tells = trial->tells();
  sought.seconds = trial->seconds_of_reference();
  sought.variant_seconds = trial->seconds_of_variant();
  sought.complaint = trial->complaint();
  sought.well_typed = !trial->is_mistyped();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (!is_same_failure(symptom_, trial->symptom(i + 1))) sought.right.push_back(others[i].recipe);
  }
  sought.signature = signature_of(symptom_.verdict, join(recipe.recipe.passes, ","), symptom_.ops_changed,
                                  symptom_.error, symptom_.level);
  seek(sought);
  return sought;
}

std::vector<TriedRecipe> FaultOracle::recipes() const {
  std::vector<TriedRecipe> recipes{{sought_.recipe, sought_.contract}};
  for (const Recipe& right : sought_.right) {
    recipes.push_back({right, right.passes.empty() ? Contract::equivalent : sought_.contract});
  }
  return recipes;
}

/// Infinities of the reference's own make many things differ that are nobody's fault; and values of which nothing can
/// be said are not judged by `culprit check` either.
bool FaultOracle::shows(const CaseTrial& trial) const {
  return trial.is_sound(sought_.complaint) && !trial.is_mistyped() && (trial.is_finite() || !sought_.finite) &&
         !is_weak(trial) && is_same_failure(sought_.symptom, trial.symptom(0));
}

bool FaultOracle::is_weak(const CaseTrial& trial) const {
  return sought_.tells && sought_.symptom.verdict == Verdict::diverged && !trial.tells();
}

/// No other recipe does the same: then the failure would be another's.
bool FaultOracle::is_own(const CaseTrial& trial) const {
  for (std::size_t i = 0; i < sought_.right.size(); ++i) {
    if (is_same_failure(sought_.symptom, trial.symptom(i + 1))) return false;
  }
  return true;
}

Result<std::vector<Answer>> FaultOracle::ask(std::span<const Case> cases, bool fresh) {
  std::vector<std::unique_ptr<CaseTrial>> trials;
  for (const Case& a_case : cases) {
    trials.push_back(trial_of(a_case, recipes(), fresh));
    if (auto ok = trials.back()->start(); !ok) return tl::unexpected(ok.error());
  }
  if (auto ok = drain(trials); !ok) return tl::unexpected(ok.error());
  for (const auto& trial : trials) {
    if (trial->is_sound(sought_.complaint) && !trial->is_mistyped()) trial->judge_first();
  }
  if (auto ok = drain(trials); !ok) return tl::unexpected(ok.error());
  for (const auto& trial : trials) trial->deploy();
  if (auto ok = drain(trials); !ok) return tl::unexpected(ok.error());
  if (auto ok = judge_others(trials); !ok) return tl::unexpected(ok.error());
  std::vector<Answer> answers(trials.size(), Answer::no);
  for (std::size_t i = 0; i < trials.size(); ++i) {
    if (trials[i]->is_mistyped())
      answers[i] = Answer::mistyped;
    else if (shows(*trials[i]) && is_own(*trials[i]))
      answers[i] = Answer::yes;
  }
  return answers;
}

Result<void> FaultOracle::judge_others(std::vector<std::unique_ptr<CaseTrial>>& trials) {
  for (const auto& trial : trials) {
    if (shows(*trial)) trial->make_others();
  }
  if (auto ok = drain(trials); !ok) return ok;
  for (const auto& trial : trials) {
    if (shows(*trial)) trial->judge_others();
  }
  if (auto ok = drain(trials); !ok) return ok;
  for (const auto& trial : trials) trial->deploy();
  return drain(trials);
}

}  // namespace culprit
