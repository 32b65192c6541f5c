#pragma once
// Flags of the commands that try an optimizer on models: check, localize, optimize.

#include <string>
#include <vector>

#include "app/requests.h"
#include "base/error.h"
#include "cli/judge_flags.h"
#include "cli/output_flags.h"
#include "cli/plan_flags.h"
#include "cli/run_flags.h"
#include "cli/sample_flags.h"
#include "record/fail_on.h"

namespace culprit {

/// As typed; "" where not given.
struct CheckFlags {
  std::vector<std::string> models;
  std::string variant, known, fail_on;
  SampleFlags samples;
  PlanFlags plan;
  JudgeFlags judge;
  RunFlags run;
  OutputFlags output;
  bool no_localize = false;
};

struct CheckArguments {
  CheckRequest request;
  Printing printing;
  FailOn fail_on = FailOn::fault;
};

/// The output flags of check and localize: those of all, --known, --fail-on and -o.
void add_answer_flags(const Flags& command, CheckFlags& flags);

/// ErrorKind::usage for nonsense and for flags that contradict each other.
Result<CheckArguments> resolve(const CheckFlags& flags);

/// The models that were named, or those in named folders. ErrorKind::usage for an empty name.
Result<std::vector<std::filesystem::path>> read_models(const std::vector<std::string>& typed);

/// What must be typed again to see the same: --data, --dim, --strict, ...
std::vector<std::string> words_to_repeat(const SampleFlags& samples, const JudgeFlags& judge, const RunFlags& run);
/// What must be typed again to have the same optimizer: --optimizer, --option.
std::vector<std::string> words_of_optimizer(const PlanFlags& plan);

}  // namespace culprit
