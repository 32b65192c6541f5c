#pragma once
// Further samples of a proposal (data/branch_samples.h): tried one by one, so that a model that refuses one is judged
// with the others.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "data/sample.h"
#include "executor/dispatcher.h"
#include "trial/reference.h"

namespace culprit {

struct FurtherSamples {
  std::vector<std::filesystem::path> samples = {};  ///< packs, of those that ran
  std::vector<std::filesystem::path> outputs = {};  ///< the reference's, one for each
  std::vector<std::string> words = {};              ///< of each: what it holds
  std::vector<std::string> refused = {};            ///< "it does not run with length=41 (reason)"
};

/// Where the reference is run with them.
struct FurtherRun {
  SessionOptions session;
  std::filesystem::path samples, outputs;  ///< folders
};

/// Left out are those that the model refuses, those whose outputs hold a larger share of NaN and infinities than every
/// one of `outputs` (the reference's of the samples before), and those behind one at which it died or took too long.
/// Nothing where time is up. ErrorKind::interrupted where it was stopped.
Result<FurtherSamples> run_further(Dispatcher& dispatcher, const Reference& reference, const Proposal& proposal,
                                   const FurtherRun& run, std::span<const std::filesystem::path> outputs);

}  // namespace culprit
