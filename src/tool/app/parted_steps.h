#pragma once
// Two models that run in steps, with a state: where the second one parts from the first, and what the first is fed with
// at that step, so that both can be compared there as at any other sample.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/dispatcher.h"
#include "judge/tolerance.h"
#include "record/warning.h"

namespace culprit {

struct BothStep {
  RunJob first, second;                        ///< without samples and folder
  std::vector<std::filesystem::path> samples;  ///< packs by the names of the first one's inputs
  std::vector<std::filesystem::path> outputs;  ///< what the first one makes of each
  std::vector<std::size_t> places;             ///< for each output of the first one its place in the second
  Tolerance tolerance;
  std::filesystem::path folder;  ///< exists
};

struct PartedSteps {
  std::vector<std::filesystem::path> samples;  ///< plain: what the first model is fed with at the steps to look at
  Warning told;                                ///< at which step of which sample they part, or that they do not
  bool do_part = false;                        ///< at a step, where each model has its own states
};

/// Do these samples run in steps?
bool run_in_steps(const std::vector<std::filesystem::path>& samples);

/// The steps to look at of the sample that parts at the earliest step (repro/frozen_step.h); if none parts, the first
/// and the last step of the first sample. Nothing where the second model does not run on all of them. Errors:
/// interrupted, io; bad_input where the first one does not run.
Result<std::optional<PartedSteps>> steps_that_part(Dispatcher& dispatcher, const BothStep& both);

}  // namespace culprit
