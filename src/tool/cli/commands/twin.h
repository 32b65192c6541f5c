#pragma once
// culprit twin MODEL -o OUT: a model of the same architecture that can be judged. Of use to tests and to whoever writes
// them, so --help of the program does not list it.

#include <filesystem>
#include <string>

#include "cli/parser.h"
#include "cli/terminal.h"
#include "twin/twin.h"

namespace culprit {

struct TwinArguments {
  std::filesystem::path model, out;
  TwinOptions twin;
  std::string runtime;  ///< "" or as of --runtime
};

/// What was done, for a person.
std::string twin_text(const TwinArguments& arguments, const TwinFacts& facts, int width);

/// As typed; "" where not given.
struct TwinFlags {
  std::string model, out, seed, runtime;
  bool frozen = false, reweight = false;
};

void add_twin(CommandParser& parser, TwinFlags& flags);

/// ErrorKind::usage where a value makes no sense, or flags contradict each other.
Result<TwinArguments> resolve(const TwinFlags& flags);

/// Writes the twin beside its place, and then moves it there. Returns the exit code.
int run_twin(const TwinArguments& arguments, Terminal& terminal);

}  // namespace culprit
