#pragma once
// culprit optimizers: which optimizers there are, and the steps of one that can be switched off one by one.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "cli/parser.h"
#include "cli/terminal.h"
#include "optimizer/onnxruntime/harvest_steps.h"

namespace culprit {

struct OptimizersArguments {
  std::string name;     ///< of the one whose steps are listed; "": all, a line each
  std::string runtime;  ///< path or version; "": the default one
  bool json = false;
};

/// As typed; "" where not given.
struct OptimizersFlags {
  std::string name, runtime, format;
};

void add_optimizers(CommandParser& parser, OptimizersFlags& flags);

/// ErrorKind::usage for an optimizer that does not exist, with the closest name.
Result<OptimizersArguments> resolve(const OptimizersFlags& flags);

/// The steps in a table, and how one is switched off.
std::string steps_as_text(const Harvest& harvest, const std::filesystem::path& library, int width);
/// "52 transformers and 22 rules; 70 can be switched off, 4 always run, of 2 it is not known"
std::string counts_of_steps(const Harvest& harvest);

int run_optimizers(const OptimizersArguments& arguments, Terminal& terminal);

}  // namespace culprit
