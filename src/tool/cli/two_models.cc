#include "cli/two_models.h"

#include "base/text.h"
#include "cli/flag_reader.h"

namespace culprit {

void add_map_flag(const Flags& command, std::vector<std::string>& map, const std::string& about) {
  command.group("Binding (without it: by name, else by position)").values("--map", map, "A=B", about);
}

void add_two_models_judging(const Flags& command, JudgeFlags& flags) {
  const Flags group = command.group("Judging (what the measured noise floor explains is equal)");
  group.value(
      "--atol", flags.atol, "X",
      "What lies beyond the floor may differ by atol + rtol * |a| (default: by type and by the size of the value)");
  group.value("--rtol", flags.rtol, "X", "Relative tolerance (default: by type; 1e-3 for float32)");
  group.toggle("--strict", flags.strict, "Beyond the noise floor they part, also within the tolerance");
}

void add_two_models_running(const Flags& command, RunFlags& flags, bool has_levels) {
  const Flags group = command.group("Running (in processes of their own, the runtime's optimizations off)");
  if (has_levels)
    group.value("--deploy-level", flags.deploy_level, "off|basic|extended|layout|all",
                "The runtime's optimizations where decisions on all of the data are compared (default all)");
  group.value("--runtime", flags.runtime, "PATH|VERSION",
              "ONNX Runtime library, or a version that scripts/setup brought");
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--timeout", flags.timeout, "TIME",
              "CPU time for loading a model, and for one sample: 120s (default), 2m, 500ms, 5 for 5 seconds");
  group.value("--memory", flags.memory, "SIZE",
              "Memory for one attempt: 8GB, 512MB (default: what the machine or its container has)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1; more change the last bits)");
  add_trust_flag(group, flags);
}

void add_two_models_output(const Flags& command, OutputFlags& flags) {
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json", "What is printed: a table (default), or the report");
  group.value("--run-dir", flags.run_dir, type_folder, "Folder of this run (default: a new one in .culprit)");
  group.toggle("--quiet", flags.quiet, "No progress and no log");
  group.toggle("--verbose", flags.verbose, "Every row of the table, and log");
  group.value("-o,--output", flags.output, type_file, "Print into a file instead");
}

namespace {

Result<void> expect_pairs(const std::vector<std::string>& map) {
  for (const std::string& pair : map) {
    const auto equals = pair.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == pair.size())
      return fail(ErrorKind::usage, "--map " + printable(pair, 100) + ": not A=B",
                  "give the name in A, '=', and the name in B");
  }
  return {};
}

}  // namespace

Result<Printing> read_two_models(const TwoModelsFlags& flags, TwoModelsRequest& request) {
  if (auto ok = expect_pairs(flags.map); !ok) return tl::unexpected(ok.error());
  Printing printing;
  std::vector<std::filesystem::path> models;
  FlagReader reader;
  reader.set(printing, read_printing(flags.output));
  reader.set(models, read_models({flags.a, flags.b}));
  reader.set(request.data, read_samples(flags.samples));
  reader.set(request.judging, read_judging(flags.judge));
  reader.set(request.running, read_running(flags.run));
  request.map = flags.map;
  request.folder = read_folder(flags.output);
  request.quoted.repeat_flags = words_to_repeat(flags.samples, flags.judge, flags.run);
  if (models.size() == 2) {
    request.a = models[0];
    request.b = models[1];
  }
  return reader.result(std::move(printing));
}

}  // namespace culprit
