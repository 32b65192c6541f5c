#pragma once
// culprit localize MODEL: a check of one recipe, or of a variant, of which only what is wrong and why is printed.

#include "cli/check_flags.h"
#include "cli/parser.h"

namespace culprit {

void add_localize(CommandParser& parser, CheckFlags& flags);

/// Errors as of resolve(CheckFlags), and where not just one of --passes and --variant is given.
Result<CheckArguments> resolve_localize(const CheckFlags& flags);

}  // namespace culprit
