#pragma once
// culprit eval MODEL...: what do these models decide on a data set, how good is it, and do they agree?

#include <filesystem>
#include <string>
#include <vector>

#include "cli/check_flags.h"
#include "cli/commands/eval_deciding.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct EvalArguments {
  EvaluateRequest request;
  Printing printing;
  std::filesystem::path decisions = {};  ///< --decisions
};

/// As typed; "" where not given.
struct EvalFlags {
  std::vector<std::string> models;
  SampleFlags sample;  ///< without `samples`
  RunFlags run;
  OutputFlags output;
  std::string samples, comparator, threshold, score, draw, decisions, sure, pairs;
  bool shuffle = false;
  DecidingFlags deciding;
};

void add_eval(CommandParser& parser, EvalFlags& flags);

/// Errors: usage, for nonsense and for flags that contradict each other.
Result<EvalArguments> resolve(const EvalFlags& flags);

/// Runs it and returns the exit code: 0 done, 2 usage, 3 nothing can be said, of one of the
/// models at least.
int run_eval(const EvalArguments& arguments, Terminal& terminal);

}  // namespace culprit
