#pragma once
// Flags of running: in what models run, with which limits, and who else is asked about them.

#include <string>
#include <vector>

#include "app/requests.h"
#include "base/error.h"
#include "cli/flags.h"

namespace culprit {

/// As typed; "" where not given.
struct RunFlags {
  std::vector<std::string> custom_ops;
  std::string runtime, second_runtime, python, deploy_level, jobs, timeout, budget, memory, threads;
  bool trust_runtime = false, trust = false;
};

void add_running_flags(const Flags& command, RunFlags& flags);
/// --trust, of commands that run models of TensorFlow.
void add_trust_flag(const Flags& group, RunFlags& flags);

/// Errors: usage, for nonsense. The default memory limit is left 0 (app/workshop.cc).
Result<RunningRequest> read_running(const RunFlags& flags);
/// Errors: usage, where nobody is asked whom one could trust less.
Result<WitnessRequest> read_witnesses(const RunFlags& flags);

}  // namespace culprit
