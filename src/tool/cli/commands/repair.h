#pragma once
// culprit repair SOURCE TARGET -o OUT: the target of a conversion, mended and verified, or left as it was.

#include <string>

#include "cli/parser.h"
#include "cli/terminal.h"
#include "cli/two_models.h"

namespace culprit {

using RepairArguments = TwoModelsArguments<RepairRequest>;

struct RepairFlags : TwoModelsFlags {
  std::string out = {}, target_data = {}, feeding = {};
};

void add_repair(CommandParser& parser, RepairFlags& flags);

/// Errors as of read_two_models; usage for an output that is no file.
Result<RepairArguments> resolve(const RepairFlags& flags);

/// Runs it and returns the exit code: 0 a right target is at OUT, 1 it could not be mended, 2 usage, 3 cannot judge.
int run_repair(const RepairArguments& arguments, Terminal& terminal);

}  // namespace culprit
