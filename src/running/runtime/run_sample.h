#pragma once
// Runs a sample, in one step or in many (tensor/steps.h).

#include <memory>
#include <vector>

#include "base/error.h"
#include "runtime/runner.h"

namespace culprit {

/// What comes out, of all steps together. Errors: those of RunnerSession::run and of run_steps.
Result<std::vector<NamedTensor>> run_sample(RunnerSession& session, const std::vector<NamedTensor>& inputs);

/// For measuring: runs it again and again, in one step or in many. The session outlives it.
Result<std::unique_ptr<BoundRun>> bind_sample(RunnerSession& session, const std::vector<NamedTensor>& inputs);

}  // namespace culprit
