#pragma once
// A variant that was given and seems right, looked at from inside: where rounding may hide a fault B's nodes are run on
// the model's values, and nodes that no sample tells apart are named (docs/comparing.md).

#include <filesystem>
#include <optional>

#include "executor/executor.h"
#include "record/comparison.h"
#include "trial/reference.h"

namespace culprit {

struct InsideTools {
  Executor& executor;
  std::filesystem::path folder;     ///< is made, and removed at the end
  bool in_fresh_processes = false;  ///< each run in a process that ran nothing before
  Stop is_time_up = {};             ///< empty: never
};

/// compare_models on the samples of `reference`; the variant is B. Nothing where that cannot be done, or the model is
/// too large to be looked into. Errors: interrupted.
Result<std::optional<CompareReport>> given_inside(const Reference& reference, const std::filesystem::path& variant,
                                                  const InsideTools& tools);

}  // namespace culprit
