#pragma once
// A model that runs, and fails on a sample that it is given.

#include "executor/executor.h"

namespace culprit {

/// Did the model end with an error on the sample behind those that ran, so that it may take others? Crashes, limits and
/// failures of the machine are no such error.
inline bool refuses_sample(const RunOutcome& outcome) {
  return outcome.stage == RunOutcome::Stage::run && outcome.failure.ending == Ending::threw && !outcome.failure.machine;
}

}  // namespace culprit
