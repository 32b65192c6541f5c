#pragma once
// The flags of `culprit localize`: a check of one recipe, or of a variant, of which only what is wrong and why is
// printed.

#include "cli/check_flags.h"

namespace culprit {

void add_localize(const Flags& command, CheckFlags& flags);

/// Errors as of resolve(CheckFlags), and where not just one of --passes and --variant is given.
Result<CheckArguments> resolve_localize(const CheckFlags& flags);

}  // namespace culprit
