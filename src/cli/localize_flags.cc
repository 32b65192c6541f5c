#include "cli/localize_flags.h"

#include "cli/flags.h"

namespace culprit {

void add_localize(CLI::App& app, CheckFlags& flags) {
  const std::string plan = "Plan (one of --passes and --variant)";
  app.add_option("MODEL", flags.models, "ONNX file that the recipe breaks, or that the variant is made of")
      ->type_name(type_file)
      ->required()
      ->expected(1);
  add_values(app, "--passes", flags.passes, type_passes, "The recipe: these passes, in this order")->group(plan);
  add_value(app, "--variant", flags.variant, type_file, "ONNX file that should mean the same, made by anything")
      ->group(plan);
  add_repeat_flag(app, flags)->group(plan);
  add_data_flags(app, flags);
  add_judge_flags(app, flags);
  add_running_flags(app, flags);
  add_output_flags(app, flags);
}

Result<CheckArguments> resolve_localize(const CheckFlags& flags) {
  const bool has_variant = !flags.variant.empty();
  if (has_variant && !flags.passes.empty())
    return fail(ErrorKind::usage, "--passes and --variant contradict each other",
                "give the recipe that breaks the model, or the broken model");
  if (!has_variant && flags.passes.empty())
    return fail(ErrorKind::usage, "neither --passes nor --variant is given",
                "give the recipe that breaks the model, or the broken model");
  if (has_variant && !flags.repeat.empty())
    return fail(ErrorKind::usage, "--variant and --repeat contradict each other",
                "--repeat says how often a recipe is run; a variant is there already");
  return resolve(flags).map([&](CheckArguments&& arguments) {
    arguments.only_faults = true;
    arguments.variant = flags.variant;
    return std::move(arguments);
  });
}

}  // namespace culprit
