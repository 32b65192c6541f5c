#include "cli/commands/localize.h"

namespace culprit {

void add_localize(CommandParser& parser, CheckFlags& flags) {
  const Flags command =
      parser.add_command("localize", "Which passes of this recipe, or what in this variant, break the model?",
                         "culprit localize model.onnx --passes eliminate_identity,fuse_pad_into_pool\n"
                         "  culprit localize model.onnx --variant broken.onnx");
  const Flags plan = command.group("Plan (one of --passes and --variant)");
  command.words("MODEL", flags.models, type_file, "ONNX file that the recipe breaks, or that the variant is made of")
      .required()
      .just_one();
  add_optimizer_flag(plan, flags.plan);
  plan.values("--passes", flags.plan.passes, type_passes, "The recipe: these passes, in this order");
  plan.value("--variant", flags.variant, type_file, "ONNX file that should mean the same, made by anything");
  add_repeat_flag(plan, flags.plan);
  add_data_flags(command, flags.samples);
  add_decision_flags(command, flags.samples);
  add_judge_flags(command, flags.judge);
  add_running_flags(command, flags.run);
  add_output_flags(command, flags.output);
}

Result<CheckArguments> resolve_localize(const CheckFlags& flags) {
  const bool has_variant = !flags.variant.empty();
  if (has_variant && !flags.plan.passes.empty())
    return fail(ErrorKind::usage, "--passes and --variant contradict each other",
                "give the recipe that breaks the model, or the broken model");
  const bool has_recipe = names_another(flags.plan);  // what users run
  if (!has_variant && flags.plan.passes.empty() && !has_recipe)
    return fail(ErrorKind::usage, "neither --passes nor --variant is given",
                "give the recipe that breaks the model, or the broken model");
  if (has_variant && !flags.plan.repeat.empty())
    return fail(ErrorKind::usage, "--variant and --repeat contradict each other",
                "--repeat says how often a recipe is run; a variant is there already");
  return resolve(flags).map([&](CheckArguments&& arguments) {
    arguments.printing.only_faults = true;
    arguments.request.optimizer.only_bundle = has_recipe && !has_variant && flags.plan.passes.empty();
    arguments.request.variant = flags.variant;
    return std::move(arguments);
  });
}

}  // namespace culprit
