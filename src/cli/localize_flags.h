#pragma once
// The flags of `culprit localize`: a check of one recipe, of which only what is wrong and why is printed.

#include "cli/check_flags.h"

namespace culprit {

void add_localize(CLI::App& app, CheckFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<CheckArguments> resolve_localize(const CheckFlags& flags);

}  // namespace culprit
