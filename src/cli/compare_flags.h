#pragma once
// The flags of `culprit compare`: declared, and turned into CompareArguments. Those that it shares with `check` mean
// the same.

#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/compare.h"

namespace culprit {

/// As typed; "" where not given.
struct CompareFlags {
  CheckFlags check;  ///< without `models`
  std::string a, b;
  std::vector<std::string> map;
};

void add_compare(const Flags& command, CompareFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<CompareArguments> resolve(const CompareFlags& flags);

}  // namespace culprit
