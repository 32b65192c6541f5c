#pragma once
// How a job of a second model is fed with samples of the first.

#include "executor/executor.h"
#include "model/bind_models.h"

namespace culprit {

/// Samples by the names of A's inputs and outputs, in a job of B.
void feed_as_bound(RunJob& job, const ModelBinding& binding);

}  // namespace culprit
