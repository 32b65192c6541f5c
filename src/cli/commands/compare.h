#pragma once
// culprit compare A B: do these two models mean the same, and where do they part first?

#include <string>
#include <vector>

#include "cli/model_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct CompareArguments {
  CheckArguments check;          ///< `models` are A and B; what is about optimizers is not used
  std::vector<std::string> map;  ///< --map
};

/// As typed; "" where not given.
struct CompareFlags {
  CheckFlags check;  ///< without `models`
  std::string a, b;
  std::vector<std::string> map;
};

void add_compare(CommandParser& parser, CompareFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<CompareArguments> resolve(const CompareFlags& flags);

/// Runs it and returns the exit code: 0 the same, 1 they part, 2 usage, 3 cannot judge.
int run_compare(const CompareArguments& arguments, Terminal& terminal);

}  // namespace culprit
