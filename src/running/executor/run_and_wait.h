#pragma once
// One run that is asked for and waited for.

#include "base/error.h"
#include "executor/dispatcher.h"

namespace culprit {

/// The outcome, once all that is under way is done. ErrorKind::interrupted if the user asked to stop, io if the machine
/// failed. What the model did is no Error.
Result<RunOutcome> run_and_wait(Dispatcher& dispatcher, RunJob job);

}  // namespace culprit
