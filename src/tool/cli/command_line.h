#pragma once
// The command line: what was typed -> what is meant. Reads nothing but its arguments, so it is tested without running
// anything.

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/error.h"
#include "cli/commands/check.h"
#include "cli/commands/compare.h"
#include "cli/commands/completion.h"
#include "cli/commands/data.h"
#include "cli/commands/diagnose.h"
#include "cli/commands/doctor.h"
#include "cli/commands/eval.h"
#include "cli/commands/hub.h"
#include "cli/commands/known.h"
#include "cli/commands/localize.h"
#include "cli/commands/merge.h"
#include "cli/commands/optimize.h"
#include "cli/commands/optimizers.h"
#include "cli/commands/orders.h"
#include "cli/commands/passes.h"
#include "cli/commands/profile.h"
#include "cli/commands/reduce.h"
#include "cli/commands/repair.h"
#include "cli/commands/replay.h"
#include "cli/commands/run.h"
#include "cli/commands/show.h"
#include "cli/commands/twin.h"

namespace culprit {

struct ShowHelp {
  std::string text;
};
struct ShowVersion {};

using Command =
    std::variant<ShowHelp, ShowVersion, CheckArguments, OptimizeArguments, CompareArguments, DiagnoseArguments,
                 EvalArguments, DataArguments, ProfileArguments, RepairArguments, ReduceArguments, OrdersArguments,
                 PassesArguments, OptimizersArguments, DoctorArguments, CompletionArguments, TwinArguments,
                 ReplayArguments, KnownArguments, RunArguments, ShowArguments, MergeArguments, HubArguments>;

/// `arguments` without the program's name; `width`: columns for --help. ErrorKind::usage where they make no sense.
Result<Command> parse_command_line(const std::vector<std::string>& arguments, int width = 80);

/// All commands that --help lists, with their options, as the parser knows them: what completion is made of.
std::vector<CommandOutline> outline_of_commands();

}  // namespace culprit
