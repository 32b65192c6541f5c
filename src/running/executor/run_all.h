#pragma once
// Runs that are asked for together and waited for.

#include <vector>

#include "base/error.h"
#include "executor/executor.h"

namespace culprit {

/// The outcomes in the order of the jobs. Nothing else may be under way. ErrorKind::interrupted if the user asked to
/// stop, io if the machine failed, internal if an outcome is owed. What the model did is no Error.
Result<std::vector<RunOutcome>> run_all(Executor& executor, std::vector<RunJob> jobs);

/// All samples ran?
bool ran(const RunOutcome& outcome, std::size_t samples);
/// "it crashed while running (killed by SIGSEGV)", for messages.
std::string how_it_ended(const RunOutcome& outcome);

}  // namespace culprit
