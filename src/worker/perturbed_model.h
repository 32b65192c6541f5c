#pragma once
// The model of a job with rounding imitated in it, in memory.

#include "executor/executor.h"
#include "runtime/runner.h"

namespace culprit {

/// Reads the model, brings external data inside, and moves the weights as `perturb_weights` does, what nodes compute as
/// `perturb_results` does, and what is quantized as `perturb_steps` does. What is large then lies outside the bytes,
/// where neither protobuf's 2 GiB nor a copy of it all count. Errors: those of reading, and a model that is too large
/// even so.
Result<ModelInMemory> nudged_model(const std::filesystem::path& model, const Perturbation& perturbation);

}  // namespace culprit
