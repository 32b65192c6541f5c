#include "cli/run_flags.h"

#include "base/text.h"
#include "cli/flag_reader.h"
#include "cli/flag_values.h"

namespace culprit {

void add_running_flags(const Flags& command, RunFlags& flags) {
  const Flags group = command.group("Running (every attempt has a process of its own, with these limits)");
  group.value("--runtime", flags.runtime, "PATH|VERSION",
              "ONNX Runtime library, or a version that scripts/setup brought");
  group.value("--second-runtime", flags.second_runtime, "PATH|VERSION",
              "Another version: does it give the same for the model itself (else exit code 3), and whose fault is a "
              "wrong value");
  group.value("--python", flags.python, type_file,
              "A Python with onnx, for an opinion of ONNX's reference evaluator on the same");
  group.toggle("--trust-runtime", flags.trust_runtime,
               "Judge by --runtime also where another one gives other values for the model itself: only a warning");
  group.value("--deploy-level", flags.deploy_level, join(level_names(), "|"),
              "Also run what is right with the runtime's own optimizations (default all; off: do not)");
  group.values("--custom-ops", flags.custom_ops, type_file, "Library with custom operators; may be repeated");
  group.value("--jobs", flags.jobs, "N",
              "Processes at once (default: the number of cores; fewer where each would get less than 1 GiB)");
  group.value(
      "--timeout", flags.timeout, "TIME",
      "CPU time for one step (making a model, loading it, one sample): 2m, 500ms, 5 for 5 seconds (default: 120s for "
      "the model itself and for making others; these may run 10 times as long as it did, and at least 10s)");
  group.value("--budget", flags.budget, "TIME",
              "Time for all: 2m, 90s, 90 for 90 seconds; then no new work but confirming what was found, and a list of "
              "what was skipped");
  group.value(
      "--memory", flags.memory, "SIZE",
      "Memory for one attempt: 8GB, 512MB (default: what the machine or its container has; those that run at once "
      "get a part of it, and are tried again alone with all of it if that is not enough)");
  group.value("--threads", flags.threads, "N", "Threads inside one run (default 1; more change the last bits)");
}

void add_trust_flag(const Flags& group, RunFlags& flags) {
  group.toggle("--trust", flags.trust,
               "Run models of TensorFlow that may run code, or touch files or the network (else they are refused)");
}

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
