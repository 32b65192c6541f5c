#include "cli/commands/localize.h"

namespace culprit {

void add_localize(CommandParser& parser, CheckFlags& flags) {
  const Flags command = parser.add_command(
      {.name = "localize",
       .heading = heading_check,
       .about = "Which passes of this list, or what in this variant, break the model?",
       .examples = {"culprit localize model.onnx --passes eliminate_identity,fuse_pad_into_pool",
                    "culprit localize model.onnx --variant broken.onnx",
                    "culprit localize model.onnx --optimizer onnxruntime"},
       .most_used = {"--optimizer", "--passes", "--variant", "--data", "--input", "--known", "--fail-on",
                     "--second-runtime", "--budget", "--format", "--output", "--verbose"}});
  const Flags plan = command.group("Plan (one of --passes and --variant)");
  command.words("MODEL", flags.models, type_file, "ONNX file that the passes break, or that the variant is made of")
      .required()
      .just_one();
  add_optimizer_flag(plan, flags.plan);
  plan.values("--passes", flags.plan.passes, type_passes);
  plan.value("--variant", flags.variant, type_file);
  add_repeat_flag(plan, flags.plan);
  add_data_flags(command, flags.samples);
  add_decision_flags(command, flags.samples);
  add_judge_flags(command, flags.judge);
  add_running_flags(command, flags.run);
  add_answer_flags(command, flags);
}

Result<CheckArguments> resolve_localize(const CheckFlags& flags) {
  const bool has_variant = !flags.variant.empty();
  if (has_variant && !flags.plan.passes.empty())
    return fail(ErrorKind::usage, "--passes and --variant contradict each other",
                "give the passes that break the model, or the broken model");
  const bool has_recipe = names_another(flags.plan);  // what users run
  if (!has_variant && flags.plan.passes.empty() && !has_recipe)
    return fail(ErrorKind::usage, "neither --passes nor --variant is given",
                "give the passes that break the model, or the broken model");
  if (has_variant && !flags.plan.repeat.empty())
    return fail(ErrorKind::usage, "--variant and --repeat contradict each other",
                "--repeat says how often a pass list is run; a variant is there already");
  return resolve(flags).map([&](CheckArguments&& arguments) {
    arguments.printing.only_faults = true;
    arguments.request.optimizer.only_bundle = has_recipe && !has_variant && flags.plan.passes.empty();
    arguments.request.variant = flags.variant;
    return std::move(arguments);
  });
}

}  // namespace culprit
