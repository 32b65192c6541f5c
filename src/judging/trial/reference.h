#pragma once
// What variants are held against: the original, the samples it ran on, and what it made of them. Made once, when the
// samples are the final ones, and never changed after that.

#include <filesystem>
#include <string>
#include <vector>

#include "model/interface_binding.h"
#include "model/model.h"
#include "record/data_facts.h"
#include "trial/decisive_samples.h"
#include "trial/options.h"

namespace culprit {

struct Reference {
  const Model& model;
  const TrialOptions& options;
  std::filesystem::path folder;                     ///< for outputs; everything in it may go at the end
  SessionOptions session = {};                      ///< of every judged run, the reference's included
  std::vector<std::filesystem::path> samples = {};  ///< packs of inputs
  std::vector<std::string> fed = {};                ///< names of the inputs in every pack
  std::vector<std::filesystem::path> outputs = {};  ///< packs of the original's outputs, one for every sample
  std::string runtime = {};                         ///< its version
  Pace took = {};                                   ///< how long the original took, on `samples`
  std::filesystem::path refused = {};               ///< where the original does not run: a sample that it was tried on
  std::size_t further = 0;                          ///< of the samples, those behind the first (data/branch_samples.h)
  std::size_t directed = 0;                         ///< of the samples, the last ones: directed at places
  std::vector<Direction> directions = {};           ///< what these were aimed at: DataFacts::directions
  DecisiveSamples decisive = {};                    ///< of the samples, those on which a decision must stay

  /// Made-up extremes?
  [[nodiscard]] bool is_directed(std::size_t sample) const { return sample + directed >= samples.size(); }
};

/// Which inputs and outputs of a variant stand for which of the original (model/interface_binding.h). Sizes that the
/// original declares for its outputs and does not keep to need not be kept.
Result<Binding> bind_to(const Reference& reference, const Interface& variant, Contract contract);

/// The inputs that a sample holds, each name once: a value in parts has several tensors (tensor/structured_value.h).
std::vector<std::string> fed_names(const std::vector<NamedTensor>& inputs);

/// Gives a variant's run as long as docs/judging.md says, where the original took this long on the same samples.
void limit_by_pace(RunJob& job, const Pace& took, const TrialOptions& options);

}  // namespace culprit
