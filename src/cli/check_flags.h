#pragma once
// The flags of `culprit check`: declared, and turned into CheckArguments.

#include <string>
#include <vector>

#include "base/error.h"
#include "cli/check.h"
#include "cli/flags.h"

namespace culprit {

/// As typed; "" where not given.
struct CheckFlags {
  std::vector<std::string> models, inputs, dims, passes, each, custom_ops;
  std::string data, samples, seed, repeat, runtime, jobs, timeout, budget, memory, threads, deploy_level, confirm, atol,
      rtol, run_dir, format, output, known, second_runtime, python, variant;
  bool all_passes = false, strict = false, keep_variants = false, quiet = false, verbose = false, undirected = false,
       no_localize = false, no_repro = false;
};

void add_check(const Flags& command, CheckFlags& flags);

// Those that mean the same in other commands.
void add_data_flags(const Flags& command, CheckFlags& flags);
void add_repeat_flag(const Flags& command, CheckFlags& flags);
void add_judge_flags(const Flags& command, CheckFlags& flags);
void add_running_flags(const Flags& command, CheckFlags& flags);
void add_output_flags(const Flags& command, CheckFlags& flags);  ///< but for -o

/// ErrorKind::usage for nonsense and for flags that contradict each other. The default memory limit is left 0 (see
/// cli/check.cc).
Result<CheckArguments> resolve(const CheckFlags& flags);

}  // namespace culprit
