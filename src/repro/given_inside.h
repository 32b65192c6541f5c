#pragma once
// A variant that was given and seems right, looked at from inside: where rounding may hide a fault B's nodes are run on
// the model's values, and nodes that no sample tells apart are named (docs/comparing.md).

#include <filesystem>
#include <optional>

#include "executor/executor.h"
#include "record/comparison.h"
#include "trial/reference.h"

namespace culprit {

/// compare_models on the samples of `reference`; the variant is B. Nothing where that cannot be done, or the model is
/// too large to be looked into. Errors: interrupted. `folder` is made, and removed at the end.
Result<std::optional<CompareReport>> given_inside(const Reference& reference, const std::filesystem::path& variant,
                                                  Executor& executor, const std::filesystem::path& folder,
                                                  const Stop& is_time_up);

}  // namespace culprit
