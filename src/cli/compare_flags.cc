#include "cli/compare_flags.h"

#include "base/text.h"
#include "cli/flags.h"

namespace culprit {
namespace {

void add_judging(CLI::App& app, CheckFlags& flags) {
  const std::string group = "Judging (what the measured noise floor explains is equal)";
  add_value(
      app, "--atol", flags.atol, "X",
      "What lies beyond the floor may differ by atol + rtol * |a| (default: by type and by the size of the value)")
      ->group(group);
  add_value(app, "--rtol", flags.rtol, "X", "Relative tolerance (default: by type; 1e-3 for float32)")->group(group);
  app.add_flag("--strict", flags.strict, "Beyond the noise floor they part, also within the tolerance")->group(group);
}

void add_running(CLI::App& app, CheckFlags& flags) {
  const std::string group = "Running (in processes of their own, the runtime's optimizations off)";
  const auto in_group = [&](CLI::Option* option) { option->group(group); };
  in_group(add_value(app, "--runtime", flags.runtime, "PATH|VERSION",
                     "ONNX Runtime library, or a version that scripts/setup brought"));
  in_group(
      add_values(app, "--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated"));
  in_group(add_value(app, "--timeout", flags.timeout, "TIME", "Time for one attempt: 120s (default), 2m, 500ms"));
  in_group(add_value(app, "--memory", flags.memory, "SIZE",
                     "Memory for one attempt: 8GB, 512MB (default: all of the machine's)"));
  in_group(
      add_value(app, "--threads", flags.threads, "N", "Threads inside one run (default 1; more change the last bits)"));
}

void add_output(CLI::App& app, CheckFlags& flags) {
  const std::string group = "Output (report.json is always written to the run folder)";
  const auto in_group = [&](CLI::Option* option) { option->group(group); };
  in_group(add_value(app, "--format", flags.format, "text|json", "What is printed: a table (default), or the report"));
  in_group(
      add_value(app, "--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)"));
  in_group(app.add_flag("--quiet", flags.quiet, "No progress and no log"));
  in_group(app.add_flag("--verbose", flags.verbose, "Every row of the table, and log"));
  in_group(add_value(app, "-o,--output", flags.output, type_file, "Print into a file instead"));
}

}  // namespace

void add_compare(CLI::App& app, CompareFlags& flags) {
  app.add_option("A", flags.a, "ONNX file that the other is held against")->type_name(type_file)->required();
  app.add_option("B", flags.b, "ONNX file that should mean the same")->type_name(type_file)->required();
  add_values(app, "--map", flags.map, "A=B",
             "Input or output of A that stands for one of B with another name; may be repeated")
      ->group("Binding (without it: by name, else by position)");
  add_data_flags(app, flags.check);
  add_judging(app, flags.check);
  add_running(app, flags.check);
  add_output(app, flags.check);
}

Result<CompareArguments> resolve(const CompareFlags& flags) {
  for (const std::string& pair : flags.map) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      return fail(ErrorKind::usage, "--map " + printable(pair, 100) + ": not A=B",
                  "give the name in A, '=', and the name in B");
  }
  CheckFlags check = flags.check;
  check.models = {flags.a, flags.b};
  return resolve(check).map([&](CheckArguments&& arguments) {
    return CompareArguments{std::move(arguments), flags.map};
  });
}

}  // namespace culprit
