#include "optimizer/traits.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

const std::vector<std::string>* steps_at(const OptimizerTraits& optimizer, const std::string& level) {
  const auto bundle = std::ranges::find(optimizer.bundles, level, &StepBundle::name);
  return bundle == optimizer.bundles.end() ? nullptr : &bundle->steps;
}

/// A container is on while one of its rules is; it has no place in recipes itself.
bool is_on(const OptimizerTraits& optimizer, const PassInfo& step, const std::vector<std::string>& on) {
  if (is_one_of(step.name, on)) return true;
  return std::ranges::any_of(
      optimizer.steps, [&](const PassInfo& rule) { return rule.container == step.name && is_one_of(rule.name, on); });
}

std::vector<std::string> disabled_at(const OptimizerTraits& optimizer, const std::vector<std::string>& at_level,
                                     const std::vector<std::string>& on) {
  std::vector<std::string> disabled;
  for (const PassInfo& step : optimizer.steps) {
    if (is_on(optimizer, step, at_level) && !is_on(optimizer, step, on)) disabled.push_back(step.name);
  }
  return disabled;
}

}  // namespace

Recipe recipe_of(const OptimizerTraits& optimizer, std::vector<std::string> steps, Repeat repeat,
                 const std::string& level) {
  if (!optimizer.ordered) {
    const auto place = [&](const std::string& name) {
      return std::ranges::find(optimizer.steps, name, &PassInfo::name) - optimizer.steps.begin();
    };
    std::ranges::stable_sort(steps, {}, place);
  }
  Recipe recipe{optimizer.name, std::move(steps), repeat};
  if (optimizer.is_program()) {
    recipe.command = words_for(*optimizer.command, recipe.passes);
    recipe.may_use_network = optimizer.command->may_use_network;
  }
  if (!optimizer.is_runtime()) return recipe;
  recipe.level = level.empty() ? optimizer.level : level;
  if (const auto* at_level = steps_at(optimizer, recipe.level))
    recipe.disabled = disabled_at(optimizer, *at_level, recipe.passes);
  return recipe;
}

Recipe without_step(Recipe recipe, std::size_t place, const CommandSpecPtr& program) {
  const auto step = recipe.passes.begin() + static_cast<std::ptrdiff_t>(place);
  if (runs_in_session(recipe)) recipe.disabled.push_back(*step);
  recipe.passes.erase(step);
  if (program != nullptr) recipe.command = words_for(*program, recipe.passes);
  return recipe;
}

std::vector<std::string> suspects_of(const OptimizerTraits& optimizer, const std::vector<std::string>& touched) {
  std::vector<std::string> suspects;
  for (const PassInfo& step : optimizer.steps) {
    const bool is_named = step.kind != "container" && is_one_of(step.name, touched);
    if (is_named || (!step.container.empty() && is_one_of(step.container, touched))) suspects.push_back(step.name);
  }
  return suspects;
}

}  // namespace culprit
