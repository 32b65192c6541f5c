#pragma once
// culprit reduce MODEL -o OUT: the smallest model on which the fault still shows.

#include <filesystem>
#include <string>

#include "cli/check_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct ReduceArguments {
  ReduceRequest request;  ///< its budget is set
  Printing printing;      ///< its `output` stays empty
};

/// As typed; "" where not given.
struct ReduceFlags {
  std::string model, out, command, deltas;
  SampleFlags samples;
  PlanFlags plan;
  JudgeFlags judge;
  RunFlags run;
  OutputFlags output;
};

void add_reduce(CommandParser& parser, ReduceFlags& flags);

/// Errors: usage, for nonsense and for flags that contradict each other; one of --passes and --check is needed.
Result<ReduceArguments> resolve(const ReduceFlags& flags);

/// Finds samples on which the fault shows, reduces, and leaves the best so far at `out`, with its test_data_set_0
/// beside it, after every step. Returns the exit code: 0 where a reduced case is there (also when time was up), 1 where
/// the fault does not show on the model as it is (nothing is written then), 3 where the model cannot be read or does
/// not run, 130 where the user stopped it (the best so far is there).
int run_reduce(const ReduceArguments& arguments, Terminal& terminal);

}  // namespace culprit
