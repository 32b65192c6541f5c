#pragma once
// Sessions that outlive a job: a stream runs a model in many chunks, and loads it once in each worker.

#include <string>

#include "executor/executor.h"

namespace culprit {

/// What tells one session from another: model, options and draw. "" for a job that keeps none: one with
/// a profile, which ends with its job, never does.
std::string session_key(const RunJob& job);

}  // namespace culprit
