#pragma once
// Samples that were given, and that the model itself refuses: a sound that is too short for it, a word it does not
// know.

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "data/sample.h"
#include "executor/executor.h"
#include "record/warning.h"

namespace culprit {

/// At most so many are left out; of a model that refuses more one can say that it does not run.
inline constexpr std::size_t most_refused = 20;

struct RanSamples {
  RunOutcome outcome;
  std::vector<std::filesystem::path> packs;  ///< that it ran on
};

struct RefusedSample {
  std::size_t number = 0;  ///< among all, from 0
  std::filesystem::path pack;
  std::string reason;
};

struct WithoutRefused {
  RanSamples ran;                      ///< on all others; failed where the model refuses all, or too many
  std::vector<RefusedSample> refused;  ///< none where the last run failed
};

/// Runs the model on these packs.
using RunPacks = std::function<Result<RanSamples>(const std::vector<std::filesystem::path>& packs)>;

/// Runs it again without the sample that was refused, until it runs on all that are left. If that does not come about,
/// `first` is what it returns. Errors: those of `run`.
Result<WithoutRefused> run_without_refused(const RanSamples& first, const RunPacks& run);

/// "the model fails on 2 of 10 samples, which are left out; the first: short.wav: ..."
Warning refused_samples_warning(const std::vector<RefusedSample>& refused, const Proposal& proposal, const Stop& stop);

}  // namespace culprit
