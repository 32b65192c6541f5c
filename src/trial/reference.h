#pragma once
// What variants are compared with: the original, the samples, and what it made of them.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "trial/known_rounding.h"
#include "trial/options.h"

namespace culprit {

struct Reference {
  const Model& model;
  const TrialOptions& options;
  std::filesystem::path folder;                ///< for outputs; everything in it may go at the end
  SessionOptions session;                      ///< of every judged run, the reference's included
  std::vector<std::filesystem::path> samples;  ///< packs of inputs
  std::vector<std::string> fed;                ///< names of the inputs in every pack
  std::vector<std::filesystem::path> outputs;  ///< packs of the original's outputs, one for every sample
  std::string runtime;                         ///< its version
  std::string complaint;                       ///< what the checker says of the original; known after the import
  std::size_t further = 0;   ///< of the samples, those behind the first (check/baseline/further_samples.h)
  std::size_t directed = 0;  ///< of the samples, the last ones: directed at places (directed.h)
  std::shared_ptr<KnownRounding> known = std::make_shared<KnownRounding>();  ///< grows (trial/rounding_draws.h)
  Pace took = {};                            ///< how long the original took, on `samples`
  std::vector<std::string> directions = {};  ///< what the directed samples were aimed at: DataFacts::directions
};

/// Gives a variant's run as long as docs/judging.md says, where the original took this long on the same samples.
void limit_by_pace(RunJob& job, const Pace& took, const TrialOptions& options);

}  // namespace culprit
