#pragma once
// culprit compare A B: do these two models mean the same, and where do they part first?

#include "cli/parser.h"
#include "cli/terminal.h"
#include "cli/two_models.h"

namespace culprit {

using CompareArguments = TwoModelsArguments<CompareRequest>;

struct CompareFlags : TwoModelsFlags {};

void add_compare(CommandParser& parser, CompareFlags& flags);

/// Errors as of read_two_models.
Result<CompareArguments> resolve(const CompareFlags& flags);

/// Runs it and returns the exit code: 0 the same, 1 they part, 2 usage, 3 cannot judge.
int run_compare(const CompareArguments& arguments, Terminal& terminal);

}  // namespace culprit
