#pragma once
// culprit optimize MODEL -o OUT: the model, optimized by what was verified to be right.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct OptimizeArguments {
  OptimizeRequest request;
  Printing printing;  ///< its `output` stays empty
};

/// As typed; "" where not given.
struct OptimizeFlags {
  CheckFlags check;  ///< without `models` and `output.output`
  std::string model, out;
  bool require_all = false;
  std::vector<std::string> accept_weak = {};
};

void add_optimize(CommandParser& parser, OptimizeFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<OptimizeArguments> resolve(const OptimizeFlags& flags);

/// Checks the model, makes it by the safe recipe, verifies the file as it lies on the disk, and puts it at `out`.
/// Returns the exit code: 0 only where the file is written; 1 where faults leave nothing safe, or a pass had to be left
/// out and all are required; 3 where nothing can be judged, or an output says nothing on all samples and --accept-weak
/// does not name it. A model that no pass changes is copied.
int run_optimize(const OptimizeArguments& arguments, Terminal& terminal);

}  // namespace culprit
