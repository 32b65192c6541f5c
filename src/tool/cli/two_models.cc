#include "cli/two_models.h"

#include "base/text.h"
#include "cli/flag_reader.h"

namespace culprit {

void add_map_flag(const Flags& command, std::vector<std::string>& map) {
  command.group("Binding (without it: by name, else by position)").values("--map", map, "A=B");
}

void add_two_models_judging(const Flags& command, JudgeFlags& flags) {
  const Flags group = command.group("Judging (the expected rounding error is measured; what it explains is equal)");
  group.value("--atol", flags.atol, "X");
  group.value("--rtol", flags.rtol, "X");
  group.toggle("--strict", flags.strict);
}

void add_two_models_running(const Flags& command, RunFlags& flags, bool has_levels) {
  const Flags group = command.group("Running (in processes of their own, the runtime's optimizations off)");
  if (has_levels)
    group.value("--deploy-level", flags.deploy_level, "off|basic|extended|layout|all")
        .with_default("all; for predictions on all of the data, values are compared at off");
  group.value("--runtime", flags.runtime, "PATH|VERSION");
  group.values("--custom-ops", flags.custom_ops, type_file);
  group.value("--timeout", flags.timeout, "TIME");
  group.value("--memory", flags.memory, "SIZE");
  group.value("--threads", flags.threads, "N");
  add_trust_flag(group, flags);
}

void add_two_models_output(const Flags& command, OutputFlags& flags, bool has_file) {
  const Flags group = command.group(output_group);
  group.value("--format", flags.format, "text|json");
  group.value("--run-dir", flags.run_dir, type_folder);
  group.toggle("--quiet", flags.quiet);
  group.toggle("--verbose", flags.verbose);
  if (has_file) group.value("-o,--output", flags.output, type_file);
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
