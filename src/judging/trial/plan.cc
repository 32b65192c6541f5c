#include "trial/plan.h"

#include <algorithm>

#include "base/meant_word.h"
#include "base/text.h"

namespace culprit {
namespace {

/// Those that can be chosen: a container is on while one of its rules is.
std::vector<std::string> names_of(const OptimizerTraits& optimizer) {
  std::vector<std::string> names;
  for (const PassInfo& pass : optimizer.steps)
    if (pass.kind != "container") names.push_back(pass.name);
  return names;
}

Result<void> expect_known(const std::vector<std::string>& asked, const OptimizerTraits& optimizer, const char* flag) {
  const auto names = names_of(optimizer);
  const std::string& word = optimizer.step_word;
  for (const std::string& name : asked) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const auto step = std::ranges::find(optimizer.steps, name, &PassInfo::name);
    if (step != optimizer.steps.end())
      return fail(ErrorKind::usage, std::string(flag) + ": " + printable(name, 80) + " only holds rules",
                  "it is on while one of its rules is: name these");
    const std::string near = meant_word(name, names);
    const bool is_linked = optimizer.tries_steps_alone();
    const std::string lists = is_linked ? "culprit passes" : "culprit optimizers " + optimizer.name;
    return fail(ErrorKind::usage, std::string(flag) + ": there is no " + word + " '" + printable(name, 80) + "'",
                near.empty()
                    ? "`" + lists + "` lists them" + (is_linked ? "; steps of others need --optimizer NAME" : "")
                    : "did you mean '" + near + "'?");
  }
  return {};
}

PlannedVariant users_bundle(const PlanOptions& options, const OptimizerTraits& optimizer) {
  std::vector<std::string> bundle;
  for (const PassInfo& pass : optimizer.steps)
    if (pass.in_bundle) bundle.push_back(pass.name);
  PlannedVariant planned = plan_for(std::move(bundle), options, optimizer);
  planned.is_bundle = true;
  return planned;
}

/// An order of the whole bundle that is its own is what users run.
Result<std::vector<PlannedVariant>> plan_of_orders(const PlanOptions& options, const OptimizerTraits& optimizer) {
  const auto bundle = users_bundle(options, optimizer).recipe.passes;
  std::vector<PlannedVariant> plan;
  for (const auto& order : options.orders) {
    if (auto ok = expect_known(order, optimizer, "--steps"); !ok) return tl::unexpected(ok.error());
    plan.push_back(plan_for(order, options, optimizer));
    plan.back().is_bundle = order == bundle;
  }
  return plan;
}

/// The levels below the users' one.
std::vector<PlannedVariant> lower_levels(const PlanOptions& options, const OptimizerTraits& optimizer) {
  std::vector<PlannedVariant> plan;
  for (const StepBundle& bundle : optimizer.bundles) {
    if (bundle.name == optimizer.level) continue;
    PlannedVariant& planned = plan.emplace_back();
    planned.recipe = recipe_of(optimizer, bundle.steps, options.repeat, bundle.name);
  }
  return plan;
}

std::vector<PlannedVariant> default_plan(const PlanOptions& options, const OptimizerTraits& optimizer) {
  std::vector<PlannedVariant> plan;
  for (const PassInfo& pass : optimizer.steps) {
    const bool is_alone =
        options.all_passes ? pass.kind != "container" : pass.in_bundle && optimizer.tries_steps_alone();
    if (is_alone) plan.push_back(plan_for({pass.name}, options, optimizer));
  }
  for (PlannedVariant& level : lower_levels(options, optimizer)) plan.push_back(std::move(level));
  PlannedVariant bundle = users_bundle(options, optimizer);
  if (!bundle.recipe.passes.empty()) plan.push_back(std::move(bundle));
  return plan;
}

}  // namespace

PlannedVariant plan_for(std::vector<std::string> names, const PlanOptions& options, const OptimizerTraits& optimizer) {
  PlannedVariant planned;
  for (const std::string& name : names) {
    const auto pass = std::ranges::find(optimizer.steps, name, &PassInfo::name);
    if (pass != optimizer.steps.end()) planned.contract = std::max(planned.contract, pass->contract);
  }
  planned.recipe = recipe_of(optimizer, std::move(names), options.repeat);
  planned.recipe.optimizer = options.optimizer;
  return planned;
}

std::vector<PlannedVariant> steps_alone(const std::vector<std::string>& steps, const PlanOptions& options,
                                        const OptimizerTraits& optimizer) {
  std::vector<PlannedVariant> plan;
  const bool is_default = options.recipe.empty() && options.each.empty() && !options.only_bundle;
  if (!optimizer.is_runtime() || !is_default || options.all_passes) return plan;
  for (const std::string& step : steps) plan.push_back(plan_for({step}, options, optimizer));
  return plan;
}

Result<std::vector<PlannedVariant>> make_plan(const PlanOptions& options, const OptimizerTraits& optimizer) {
  if (auto ok = expect_known(options.recipe, optimizer, "--passes"); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_known(options.each, optimizer, "--each"); !ok) return tl::unexpected(ok.error());
  if (!options.orders.empty()) return plan_of_orders(options, optimizer);
  std::vector<PlannedVariant> plan;
  if (options.only_bundle) plan.push_back(users_bundle(options, optimizer));
  if (options.recipe.empty() && options.each.empty() && plan.empty()) return default_plan(options, optimizer);
  if (!options.recipe.empty()) plan.push_back(plan_for(options.recipe, options, optimizer));
  for (const std::string& name : options.each) plan.push_back(plan_for({name}, options, optimizer));
  return plan;
}

const PlannedVariant* recipe_of_users(std::span<const PlannedVariant> plan, const PlanOptions& options) {
  if (!options.orders.empty()) return nullptr;
  if (!options.recipe.empty() && !plan.empty()) return plan.data();
  const auto bundle = std::ranges::find_if(plan, &PlannedVariant::is_bundle);
  return bundle == plan.end() ? nullptr : &*bundle;
}

std::string name_of(const PlannedVariant& planned) {
  const auto& passes = planned.recipe.passes;
  if (!planned.rewrites.limits_nothing()) {
    PlannedVariant whole = planned;
    whole.rewrites = {};
    return name_of(whole) + ", some rewrites";
  }
  if (planned.is_bundle || is_whole_level(planned.recipe)) return kind_of(planned.recipe, planned.is_bundle);
  if (!planned.reason.empty() && passes.size() > 1) return planned.reason;
  if (passes.empty()) return "round_trip";
  return passes.size() == 1 ? passes.front() : "the pass list " + printable(join(passes, ", "), 200);
}

}  // namespace culprit
