#include "cli/localize_flags.h"

#include "cli/flags.h"

namespace culprit {

void add_localize(CLI::App& app, CheckFlags& flags) {
  app.add_option("MODEL", flags.models, "ONNX file that the recipe breaks")
      ->type_name(type_file)
      ->required()
      ->expected(1);
  add_values(app, "--passes", flags.passes, type_passes, "The recipe: these passes, in this order")
      ->group("Plan")
      ->required();
  add_repeat_flag(app, flags)->group("Plan");
  add_data_flags(app, flags);
  add_judge_flags(app, flags);
  add_running_flags(app, flags);
  add_output_flags(app, flags);
}

Result<CheckArguments> resolve_localize(const CheckFlags& flags) {
  return resolve(flags).map([](CheckArguments&& arguments) {
    arguments.only_faults = true;
    return std::move(arguments);
  });
}

}  // namespace culprit
