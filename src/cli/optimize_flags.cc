#include "cli/optimize_flags.h"

#include "cli/flags.h"

namespace culprit {

void add_optimize(CLI::App& app, OptimizeFlags& flags) {
  app.add_option("MODEL", flags.model, "ONNX file to optimize")->type_name(type_file)->required();
  add_value(app, "-o,--output", flags.out, type_file, "Where the optimized model is written; not the model itself")
      ->required();
  add_data_flags(app, flags.check);
  const std::string group = "Plan (without these: the optimizer's bundle, less what breaks the model)";
  add_values(app, "--passes", flags.check.passes, type_passes, "These passes, in this order")->group(group);
  add_repeat_flag(app, flags.check)->group(group);
  app.add_flag("--require-all", flags.require_all, "Write nothing if a pass has to be left out (exit code 1)")
      ->group(group);
  add_judge_flags(app, flags.check);
  add_running_flags(app, flags.check);
  add_output_flags(app, flags.check);
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
