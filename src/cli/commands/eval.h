#pragma once
// culprit eval MODEL...: what do these models decide on a data set, how good is it, and do they agree?

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands/eval_deciding.h"
#include "cli/model_flags.h"
#include "cli/parser.h"
#include "cli/terminal.h"

namespace culprit {

struct EvalArguments {
  CheckArguments check;              ///< models, data, session, limits, output; what is about optimizers is not used
  std::filesystem::path comparator;  ///< --comparator; a path from the root, or a name on PATH
  std::int64_t samples = 0;          ///< --samples; 0: all, or 3 made-up ones
  bool shuffle = false;              ///< --shuffle
  std::pair<double, double> sure_of = {0, 0};  ///< --stop-when-sure
  std::string draw = {};                       ///< --draw
  std::filesystem::path pairs = {};            ///< --pairs
  std::filesystem::path decisions = {};        ///< --decisions
  TaskSettings settings = {};                  ///< --detector, --softmax, --threshold, --score
};

/// As typed; "" where not given.
struct EvalFlags {
  CheckFlags check;  ///< without `samples`
  std::string samples, comparator, threshold, score, draw, decisions, sure, pairs;
  bool shuffle = false;
  DecidingFlags deciding;
};

void add_eval(CommandParser& parser, EvalFlags& flags);

/// Errors as of resolve(CheckFlags).
Result<EvalArguments> resolve(const EvalFlags& flags);

/// Runs it and returns the exit code: 0 done, 2 usage, 3 nothing can be said, of one of the
/// models at least.
int run_eval(const EvalArguments& arguments, Terminal& terminal);

}  // namespace culprit
