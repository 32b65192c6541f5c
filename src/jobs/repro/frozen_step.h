#pragma once
// A repro runs its model once. Of a fault on a sample that runs in steps (tensor/steps.h, tensor/token_loop.h) it needs
// one step that shows the fault alone: what the original is fed with at that step, states and caches included, is a
// plain sample.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "base/stop.h"
#include "executor/executor.h"
#include "judge/judge.h"
#include "optimizer/optimizer.h"
#include "trial/fault_case.h"

namespace culprit {

struct FreezingTools {
  Executor& executor;
  const OptimizerTraits& optimizer;
  std::filesystem::path folder;  ///< for samples, variants and outputs; made, and removed at the end
  Stop is_time_up = {};          ///< then no step is tried; empty: never
};

/// Does the sample that shows the fault run in steps? Errors: as of read_pack.
Result<bool> shows_in_steps(const FaultCase& shown);

/// The first step at which an output that is not fed back differs beyond the tolerance; nothing where none does.
/// `found`: as `right`, of the variant. Errors: as of step_count.
Result<std::optional<std::int64_t>> first_parted_step(std::span<const NamedTensor> sample,
                                                      std::span<const NamedTensor> right,
                                                      std::span<const NamedTensor> found, const Tolerance& tolerance);

/// The steps of a sample that are tried, the likeliest first: for each output the first one at which what was found
/// differs beyond the tolerance, the step before the earliest of these (it may spoil a state), the first one and the
/// last one. `found`: as `right`, of the variant; empty: nothing is known of it. Errors: as of step_count.
Result<std::vector<std::int64_t>> steps_to_try(std::span<const NamedTensor> sample, std::span<const NamedTensor> right,
                                               std::span<const NamedTensor> found, const Tolerance& tolerance);

/// Checks the model on these steps alone, with nothing but the recipe or the file that breaks it, and gives the first
/// one that shows the fault to `keep`: a fault with the same verdict, by the same recipe, at the same level. It has the
/// id and the rewrites of the fault. Errors: unsupported, where no step shows it alone, with those that were tried;
/// those of `keep`; interrupted, io.
Result<KeptFault> keep_one_step(const FaultCase& shown, const FreezingTools& tools, const KeepFault& keep);

}  // namespace culprit
