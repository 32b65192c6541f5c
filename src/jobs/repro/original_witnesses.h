#pragma once
// Who is asked about the original beside the runtime: a second runtime, and ONNX's reference evaluator.

#include <vector>

#include "executor/executor.h"
#include "repro/onnx_evaluator.h"
#include "trial/witness.h"

namespace culprit {

/// Null: there is none. They outlive the witnesses. The evaluator computes in the model's own types, and a sample may
/// take a minute at most; it is not started for a model of more than 256 MiB.
std::vector<Witness> witnesses_of(Executor* second, Evaluator* evaluator);

}  // namespace culprit
