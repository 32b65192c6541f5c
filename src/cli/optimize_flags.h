#pragma once
// The flags of `culprit optimize`: declared, and turned into OptimizeArguments. Those that it shares with `check` mean
// the same.

#include <string>

#include "cli/check_flags.h"
#include "cli/optimize.h"

namespace culprit {

/// As typed; "" where not given.
struct OptimizeFlags {
  CheckFlags check;  ///< without `models` and `output`
  std::string model, out;
  bool require_all = false;
};

void add_optimize(const Flags& command, OptimizeFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<OptimizeArguments> resolve(const OptimizeFlags& flags);

}  // namespace culprit
