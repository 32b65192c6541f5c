#pragma once
// culprit diagnose SOURCE TARGET: which layer, which tensor, which number did a conversion get wrong?

#include <string>
#include <vector>

#include "cli/parser.h"
#include "cli/terminal.h"
#include "cli/two_models.h"

namespace culprit {

using DiagnoseArguments = TwoModelsArguments<DiagnoseRequest>;

struct DiagnoseFlags : TwoModelsFlags {
  std::vector<std::string> intermediates = {};
  std::string target_data = {};
};

void add_diagnose(CommandParser& parser, DiagnoseFlags& flags);

/// Errors as of read_two_models.
Result<DiagnoseArguments> resolve(const DiagnoseFlags& flags);

/// Runs it and returns the exit code: 0 the same, 1 faulty, 2 usage, 3 cannot judge.
int run_diagnose(const DiagnoseArguments& arguments, Terminal& terminal);

}  // namespace culprit
