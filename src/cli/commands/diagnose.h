#pragma once
// culprit diagnose SOURCE TARGET: which layer, which tensor, which number did a conversion get wrong?

#include <string>
#include <vector>

#include "cli/model_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct DiagnoseArguments {
  CheckArguments check;          ///< `models` are the source and the target
  std::vector<std::string> map;  ///< --map
};

/// As typed; "" where not given.
struct DiagnoseFlags {
  CheckFlags check;  ///< without `models`
  std::string source, target;
  std::vector<std::string> map;
};

void add_diagnose(CommandParser& parser, DiagnoseFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<DiagnoseArguments> resolve(const DiagnoseFlags& flags);

/// Runs it and returns the exit code: 0 the same, 1 faulty, 2 usage, 3 cannot judge.
int run_diagnose(const DiagnoseArguments& arguments, Terminal& terminal);

}  // namespace culprit
