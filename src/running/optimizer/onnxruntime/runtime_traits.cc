#include "optimizer/onnxruntime/runtime_traits.h"

#include <algorithm>
#include <array>

#include "optimizer/onnxruntime/step_names.h"

namespace culprit {
namespace {

constexpr std::array levels{Level::basic, Level::extended, Level::layout, Level::all};

std::string container_of(const HarvestedStep& step) {
  if (step.kind != StepKind::rule) return "";
  const auto rules = known_rules();
  const auto rule = std::ranges::find_if(rules, [&](const RuleName& known) { return known.name == step.name; });
  return rule == rules.end() ? "" : rule->container;
}

const char* help_of(StepProof proof) {
  switch (proof) {
    case StepProof::by_log:
      return "can be switched off, as the log shows";
    case StepProof::by_model:
      return "can be switched off, as a model shows";
    default:
      return "whether it can be switched off is not known";
  }
}

}  // namespace

Result<OptimizerTraits> runtime_traits(const Harvest& harvest, Level level) {
  const auto is_there = [&](const HarvestedStep& step) { return step.level == Level::layout; };
  if (level == Level::layout && std::ranges::none_of(harvest.steps, is_there))
    return fail(ErrorKind::usage, "ONNX Runtime " + harvest.version + " has no level layout",
                "versions from 1.23 on have it; --deploy-level extended or all is near it");
  OptimizerTraits traits;
  traits.name = "onnxruntime";
  traits.version = harvest.version;
  traits.step_word = "step";
  traits.ordered = traits.limits_rewrites = false;
  traits.level = name_of(level);
  for (const HarvestedStep& step : harvest.steps) {
    if (step.proof == StepProof::always_runs || step.level > level) continue;
    PassInfo& info = traits.steps.emplace_back();
    info.name = step.name;
    info.kind = name_of(step.kind);
    info.level = name_of(step.level);
    info.container = container_of(step);
    info.help = help_of(step.proof);
    info.in_bundle = step.kind != StepKind::container;
  }
  for (const Level at : levels) {
    if (at > level) break;
    StepBundle bundle{std::string(name_of(at)), {}};
    for (const PassInfo& info : traits.steps)
      if (info.in_bundle && level_named(info.level).value_or(Level::all) <= at) bundle.steps.push_back(info.name);
    const bool adds = traits.bundles.empty() || traits.bundles.back().steps.size() < bundle.steps.size();
    if (!bundle.steps.empty() && adds) traits.bundles.push_back(std::move(bundle));
  }
  if (!traits.bundles.empty() && traits.bundles.back().name != traits.level) {
    // The users' level adds nothing to the one below, and is run under its own name all the same.
    traits.bundles.back().name = traits.level;
  }
  if (!traits.bundles.empty()) return traits;
  return fail(ErrorKind::unsupported,
              "ONNX Runtime " + harvest.version + " has no steps at level " + std::string(name_of(level)),
              "`culprit optimizers onnxruntime` lists what it has");
}

}  // namespace culprit
