#pragma once
// culprit twin MODEL -o OUT: a model of the same architecture that can be judged. Of use to tests and to whoever writes
// them, so --help of the program does not list it.

#include <filesystem>

#include "cli/terminal.h"
#include "twin/twin.h"

namespace culprit {

struct TwinArguments {
  std::filesystem::path model, out;
  TwinOptions twin;
  std::string runtime;  ///< "" or as of --runtime
};

/// Writes the twin beside its place, and then moves it there. Returns the exit code.
int run_twin(const TwinArguments& arguments, Terminal& terminal);

/// What was done, for a person.
std::string twin_text(const TwinArguments& arguments, const TwinFacts& facts, int width);

}  // namespace culprit
