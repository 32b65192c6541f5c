#include "cli/run_flags.h"

#include "base/text.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"

namespace culprit {

void add_running_flags(const Flags& command, RunFlags& flags) {
  const Flags group = command.group("Running (every attempt has a process of its own, with these limits)");
  group.value("--runtime", flags.runtime, "PATH|VERSION");
  group.value("--second-runtime", flags.second_runtime, "PATH|VERSION");
  group.value("--python", flags.python, type_file);
  group.toggle("--trust-runtime", flags.trust_runtime);
  group.value("--deploy-level", flags.deploy_level, join(level_names(), "|"));
  group.values("--custom-ops", flags.custom_ops, type_file);
  group.value("--jobs", flags.jobs, "N");
  group.value("--timeout", flags.timeout, "TIME")
      .with_default("120s; a variant: 10 times as long as the model itself took, and at least 10s");
  group.value("--budget", flags.budget, "TIME");
  group.value("--memory", flags.memory, "SIZE");
  group.value("--threads", flags.threads, "N");
}

void add_trust_flag(const Flags& group, RunFlags& flags) { group.toggle("--trust", flags.trust); }

Result<RunningRequest> read_running(const RunFlags& flags) {
  constexpr std::int64_t most_at_once = 1024;
  RunningRequest request;
  FlagReader reader;
  request.runtime = flags.runtime;
  request.session.trusted = flags.trust;
  for (const std::string& library : flags.custom_ops) request.session.custom_ops.emplace_back(library);
  reader.read(request.jobs, whole_number, "--jobs", flags.jobs, 1, most_at_once);
  reader.read(request.limits.cpu_seconds, duration, "--timeout", flags.timeout);
  request.time_is_given = !flags.timeout.empty();
  reader.read(request.budget, duration, "--budget", flags.budget);
  reader.read(request.limits.memory_bytes, memory_size, "--memory", flags.memory);
  reader.read(request.session.threads, whole_number, "--threads", flags.threads, 1, most_at_once);
  std::string level(name_of(request.deploy_level));
  reader.read(level, choice, "--deploy-level", flags.deploy_level, level_names());
  request.deploy_level = level_named(level).value_or(Level::all);
  return reader.result(std::move(request));
}

Result<WitnessRequest> read_witnesses(const RunFlags& flags) {
  if (flags.trust_runtime && flags.second_runtime.empty() && flags.python.empty())
    return fail(ErrorKind::usage, "--trust-runtime: nobody else is asked about the model, so there is nobody to doubt",
                "leave it out, or name a witness: --second-runtime 1.30.0, or --python PYTHON");
  return WitnessRequest{flags.second_runtime, flags.python, flags.trust_runtime};
}

}  // namespace culprit
