#include "cli/optimize_flags.h"

namespace culprit {

void add_optimize(const Flags& command, OptimizeFlags& flags) {
  command.word("MODEL", flags.model, type_file, "ONNX file to optimize").required();
  command.value("-o,--output", flags.out, type_file, "Where the optimized model is written; not the model itself")
      .required();
  add_data_flags(command, flags.check);
  const Flags group = command.group("Plan (without these: the optimizer's bundle, less what breaks the model)");
  group.values("--passes", flags.check.passes, type_passes, "These passes, in this order");
  add_repeat_flag(group, flags.check);
  group.toggle("--require-all", flags.require_all, "Write nothing if a pass has to be left out (exit code 1)");
  add_judge_flags(command, flags.check);
  add_running_flags(command, flags.check);
  add_output_flags(command, flags.check);
}

Result<OptimizeArguments> resolve(const OptimizeFlags& flags) {
  if (flags.out == "-") {
    return fail(ErrorKind::usage, "-o -: a model is verified as a file, and not printed", "name a file");
  }
  CheckFlags check = flags.check;
  check.models = {flags.model};
  check.no_localize = true;  // who wants a model that is right is not asking for what made it wrong
  return resolve(check).map([&](CheckArguments&& arguments) {
    return OptimizeArguments{std::move(arguments), flags.out, flags.require_all};
  });
}

}  // namespace culprit
