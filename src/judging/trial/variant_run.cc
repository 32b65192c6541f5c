#include "trial/variant_run.h"

#include <algorithm>
#include <utility>

#include "base/folder.h"

namespace culprit {
namespace {

bool takes(const Interface& interface, const std::string& name) {
  const auto has = [&](const std::vector<ValueInfo>& values) {
    return std::ranges::find(values, name, &ValueInfo::name) != values.end();
  };
  return has(interface.inputs) || has(interface.optional_inputs);
}

/// The inputs as they are bound, and those of the names in `fed` beyond them that the variant takes as well.
std::vector<BoundInput> bound_inputs(const Binding& binding, const Interface& variant,
                                     const std::vector<std::string>& fed) {
  std::vector<BoundInput> inputs = binding.inputs;
  for (const std::string& name : fed) {
    const bool is_bound = std::ranges::find(inputs, name, &BoundInput::original) != inputs.end();
    if (!is_bound && takes(variant, name)) inputs.push_back({name, name});
  }
  return inputs;
}

}  // namespace

OptimizeJob making_job(const Model& model, const TrialOptions& options, std::vector<Recipe> recipes) {
  OptimizeJob job;
  job.model = model.path;
  job.optimizer = options.optimizer;
  job.recipes = std::move(recipes);
  job.limits = options.limits;
  job.works_in_forks = options.works_in_forks;
  if (options.program != nullptr) {
    job.staying_program = filled_in(options.program->stays, "python", options.program->python);
    job.may_use_network = options.program->may_use_network;
  }
  if (options.program != nullptr && !options.time_is_given && options.program->seconds > 0)
    job.limits.cpu_seconds = options.program->seconds;
  return job;
}

RunnablePtr runnable(const std::filesystem::path& file, const Interface& interface, Contract contract,
                     const Reference& reference) {
  RunnableVariant variant{file, contract, {}, {}};
  if (auto binding = bind_to(reference, interface, contract)) {
    variant.binding = std::move(*binding);
    variant.outputs = renamed_outputs(variant.binding, reference.model.interface, interface);
  }
  variant.inputs = bound_inputs(variant.binding, interface, reference.fed);
  return std::make_shared<const RunnableVariant>(std::move(variant));
}

RunnablePtr runnable_in_session(const Recipe& recipe, const Reference& reference) {
  const Model& model = reference.model;
  RunnableVariant variant = *runnable(model.path, model.interface, Contract::equivalent, reference);
  variant.in_session = recipe;
  return std::make_shared<const RunnableVariant>(std::move(variant));
}

std::optional<DrawnVariant> drawn_variant(const RunnableVariant& variant) {
  if (variant.in_session) return std::nullopt;
  return DrawnVariant{variant.file, variant.inputs, variant.outputs};
}

RunJob job_for(const RunnableVariant& variant, const Reference& reference, const std::filesystem::path& folder) {
  RunJob job;
  job.model = variant.file;
  job.session = reference.session;
  if (variant.in_session) {
    job.session.level = level_named(variant.in_session->level).value_or(Level::all);
    job.session.disabled_steps = variant.in_session->disabled;
  }
  job.limits = reference.options.limits;
  limit_by_pace(job, reference.took, reference.options);
  if (variant.contract == Contract::partition) return job;
  job.samples = reference.samples;
  job.folder = folder;
  job.inputs = variant.inputs;
  job.outputs = variant.outputs;
  return job;
}

void run_and_judge(Dispatcher& dispatcher, DrawnJudge& judge, const RunnablePtr& variant, RunJob job, OnTried then,
                   Purpose purpose) {
  dispatcher.run(
      std::move(job),
      [&judge, variant, then = std::move(then)](const RunOutcome& outcome) {
        judge.judge(outcome, variant->binding, variant->contract,
                    [variant, outcome, then](Judgement judgement) { then(std::move(judgement), outcome); },
                    {.variant = drawn_variant(*variant)});
      },
      std::move(purpose));
}

void run_afresh_and_judge(Dispatcher& dispatcher, DrawnJudge& judge, const RunnablePtr& variant, RunJob job, bool alone,
                          std::function<void(const Judgement&)> then) {
  job.fresh_process = true;
  job.alone = alone;
  const std::filesystem::path folder = job.folder;
  run_and_judge(dispatcher, judge, variant, std::move(job),
                [folder, then = std::move(then)](const Judgement& judgement, const RunOutcome&) {
                  then(judgement);
                  remove_folder(folder);
                });
}

Made take_making(const Recipe& recipe, const ImportOutcome& import, const VariantOutcome& outcome, Contract contract,
                 const Reference& reference) {
  if (import.failure.failed()) return {.refusal = judge_import(import.failure, reference.options)};
  if (runs_in_session(recipe)) return {.variant = runnable_in_session(recipe, reference)};
  const bool is_unchanged = outcome.skipped_by_scan || outcome.fingerprint == import.original;
  if (is_unchanged && !outcome.failure.failed()) return {.is_unchanged = true};
  if (auto refusal = judge_making(outcome, contract, reference, import.checker_complaint))
    return {.refusal = std::move(refusal)};
  return {.variant = runnable(outcome.file, outcome.interface, contract, reference)};
}

}  // namespace culprit
