#pragma once
// The flags of `culprit reduce`: declared, and turned into ReduceArguments. Those that it shares with `check` mean the
// same.

#include <string>

#include "cli/check_flags.h"
#include "cli/reduce.h"

namespace culprit {

/// As typed; "" where not given.
struct ReduceFlags {
  CheckFlags check;  ///< without `models` and `output`
  std::string model, out, command;
};

void add_reduce(const Flags& command, ReduceFlags& flags);

/// Errors as of resolve(CheckFlags); one of --passes and --check is needed.
Result<ReduceArguments> resolve(const ReduceFlags& flags);

}  // namespace culprit
