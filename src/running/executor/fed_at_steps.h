#pragma once
// A sample that runs in steps (tensor/steps.h) or writes a text (tensor/token_loop.h), looked at in the middle.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "executor/dispatcher.h"
#include "tensor/tensor.h"

namespace culprit {

/// What the model is fed with at each of these steps, the states and caches included that it made itself: a pack for
/// each step, a plain sample. `job`: all but its samples; its folder is made, and holds the packs. Errors: bad_input
/// (the model does not run up to one of them), io, interrupted.
Result<std::vector<std::filesystem::path>> fed_at_steps(Dispatcher& dispatcher, RunJob job,
                                                        const std::vector<NamedTensor>& sample,
                                                        std::span<const std::int64_t> steps);

}  // namespace culprit
