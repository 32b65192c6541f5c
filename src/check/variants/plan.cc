#include "check/variants/plan.h"

#include <algorithm>

#include "base/text.h"

namespace culprit {
namespace {

std::vector<std::string> names_of(std::span<const PassInfo> passes) {
  std::vector<std::string> names;
  for (const PassInfo& pass : passes) names.push_back(pass.name);
  return names;
}

Result<void> expect_known(const std::vector<std::string>& asked, std::span<const PassInfo> passes, const char* flag) {
  const auto names = names_of(passes);
  for (const std::string& name : asked) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string near = closest(name, names);
    return fail(ErrorKind::usage, std::string(flag) + ": there is no pass '" + printable(name, 80) + "'",
                near.empty() ? "`culprit passes` lists them" : "did you mean '" + near + "'?");
  }
  return {};
}

std::vector<PlannedVariant> default_plan(const CheckOptions& options, std::span<const PassInfo> passes) {
  std::vector<PlannedVariant> plan;
  std::vector<std::string> bundle;
  for (const PassInfo& pass : passes) {
    if (!pass.in_bundle && !options.all_passes) continue;
    plan.push_back(plan_for({pass.name}, options, passes));
    if (pass.in_bundle) bundle.push_back(pass.name);
  }
  if (bundle.empty()) return plan;
  plan.push_back(plan_for(std::move(bundle), options, passes));
  plan.back().is_bundle = true;
  return plan;
}

}  // namespace

PlannedVariant plan_for(std::vector<std::string> names, const CheckOptions& options, std::span<const PassInfo> passes) {
  PlannedVariant planned;
  for (const std::string& name : names) {
    const auto pass = std::ranges::find(passes, name, &PassInfo::name);
    if (pass != passes.end()) planned.contract = std::max(planned.contract, pass->contract);
  }
  planned.recipe = {options.optimizer, std::move(names), options.repeat};
  return planned;
}

Result<std::vector<PlannedVariant>> make_plan(const CheckOptions& options, std::span<const PassInfo> passes) {
  if (auto ok = expect_known(options.recipe, passes, "--passes"); !ok) return tl::unexpected(ok.error());
  if (auto ok = expect_known(options.each, passes, "--each"); !ok) return tl::unexpected(ok.error());
  if (options.recipe.empty() && options.each.empty()) return default_plan(options, passes);
  std::vector<PlannedVariant> plan;
  if (!options.recipe.empty()) plan.push_back(plan_for(options.recipe, options, passes));
  for (const std::string& name : options.each) plan.push_back(plan_for({name}, options, passes));
  return plan;
}

const PlannedVariant* recipe_of_users(std::span<const PlannedVariant> plan, const CheckOptions& options) {
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
  if (planned.is_bundle) return "the bundle";
  if (!planned.reason.empty() && passes.size() > 1) return planned.reason;
  if (passes.empty()) return "round_trip";
  return passes.size() == 1 ? passes.front() : "the recipe " + printable(join(passes, ", "), 200);
}

}  // namespace culprit
