#include "cli/reduce_flags.h"

#include "cli/flags.h"

namespace culprit {
namespace {

constexpr double usual_budget = 120;  // seconds

void add_fault_flags(CLI::App& app, ReduceFlags& flags) {
  const std::string group = "The fault (one of --passes and --check)";
  add_values(app, "--passes", flags.check.passes, type_passes, "What these passes do, in this order, is the fault")
      ->group(group);
  add_repeat_flag(app, flags.check)->group(group);
  add_value(app, "--check", flags.command, "CMD",
            "Shell command whose exit code is the verdict: 0, the fault is there. {model} stands for a model to try, "
            "{data} for its test_data_set_0. Of a command that fails where the fault is: '! CMD'")
      ->group(group);
}

constexpr const char* exit_codes =
    "Exit codes: 0 the reduced model is there (also where the time was spent), 1 the\n"
    "fault does not show on the model as it is, 2 wrong usage, 3 the model cannot be\n"
    "read or does not run, 4 internal error, 130 interrupted (the best so far is\n"
    "there).\n\n";

}  // namespace

void add_reduce(CLI::App& app, ReduceFlags& flags) {
  app.footer(exit_codes + app.get_footer());
  app.add_option("MODEL", flags.model, "ONNX file that shows the fault")->type_name(type_file)->required();
  add_value(app, "-o,--output", flags.out, type_file,
            "Where the reduced model is written, with its test_data_set_0 beside it")
      ->required();
  add_fault_flags(app, flags);
  add_data_flags(app, flags.check);
  add_judge_flags(app, flags.check);
  add_running_flags(app, flags.check);
  app.get_option("--budget")->description("Time for all (default 2m); then the best so far is what is left");
  app.get_option("--confirm")->description("Fresh processes in which a result must show the fault again (default 2)");
  const std::string group = "Output";
  add_value(app, "--run-dir", flags.check.run_dir, type_folder, "Folder for the work (default: a new one in .culprit)")
      ->group(group);
  app.add_flag("--quiet", flags.check.quiet, "No progress and no log")->group(group);
  app.add_flag("--verbose", flags.check.verbose, "Also what each kind of step did, and log")->group(group);
}

Result<ReduceArguments> resolve(const ReduceFlags& flags) {
  if (flags.out == "-") return fail(ErrorKind::usage, "-o -: a model is not printed", "name a file");
  const bool has_passes = !flags.check.passes.empty();
  if (has_passes == !flags.command.empty()) {
    return fail(ErrorKind::usage,
                has_passes ? "--passes and --check contradict each other" : "neither --passes nor --check was given",
                "give the passes that `culprit check` blames, or a command that says whether the fault is there");
  }
  if (!flags.command.empty() && flags.command.find("{model}") == std::string::npos) {
    return fail(ErrorKind::usage, "--check names no {model}, so it would say the same of every model",
                "such as --check 'python3 /path/to/is_wrong.py {model}'");
  }
  CheckFlags check = flags.check;
  check.models = {flags.model};
  return resolve(check).map([&](CheckArguments&& arguments) {
    if (arguments.budget == 0) arguments.budget = usual_budget;
    return ReduceArguments{std::move(arguments), flags.out, flags.command};
  });
}

}  // namespace culprit
