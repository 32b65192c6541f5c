#pragma once
// culprit check MODEL...: does optimizing break this model, and which pass does it?

#include "cli/check_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

/// Declares the command; `resolve` (cli/check_flags.h) tells what was meant.
void add_check(CommandParser& parser, CheckFlags& flags);

/// Runs it and returns the exit code. Also of localize, which is a check of one recipe, or of a variant.
int run_check(const CheckArguments& arguments, Terminal& terminal);

}  // namespace culprit
