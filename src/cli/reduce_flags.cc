#include "cli/reduce_flags.h"

namespace culprit {
namespace {

constexpr double usual_budget = 120;  // seconds

void add_fault_flags(const Flags& command, ReduceFlags& flags) {
  const Flags group = command.group("The fault (one of --passes and --check)");
  group.values("--passes", flags.check.passes, type_passes, "What these passes do, in this order, is the fault");
  add_repeat_flag(group, flags.check);
  group.value("--check", flags.command, "CMD",
              "Shell command whose exit code is the verdict: 0, the fault is there. {model} stands for a model to try, "
              "{data} for its test_data_set_0. Of a command that fails where the fault is: '! CMD'");
}

constexpr const char* exit_codes =
    "Exit codes: 0 the reduced model is there (also where the time was spent), 1 the\n"
    "fault does not show on the model as it is, 2 wrong usage, 3 the model cannot be\n"
    "read or does not run, 4 internal error, 130 interrupted (the best so far is\n"
    "there).";

}  // namespace

void add_reduce(const Flags& command, ReduceFlags& flags) {
  command.explain_before_example(exit_codes);
  command.word("MODEL", flags.model, type_file, "ONNX file that shows the fault").required();
  command
      .value("-o,--output", flags.out, type_file,
             "Where the reduced model is written, with its test_data_set_0 beside it (in FILE.data_sets/ where other "
             "models lie there)")
      .required();
  add_fault_flags(command, flags);
  add_data_flags(command, flags.check);
  add_judge_flags(command, flags.check);
  add_running_flags(command, flags.check);
  command.declared("--budget").describe("Time for all (default 2m); then the best so far is what is left");
  command.declared("--confirm").describe("Fresh processes in which a result must show the fault again (default 2)");
  const Flags group = command.group("Output");
  group.value("--run-dir", flags.check.run_dir, type_folder, "Folder for the work (default: a new one in .culprit)");
  group.toggle("--quiet", flags.check.quiet, "No progress and no log");
  group.toggle("--verbose", flags.check.verbose, "Also what each kind of step did, and log");
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
