#pragma once
// Samples so large that what is wished for comes about behind weights that are small or beside an offset: two runs tell
// how far a value inside moves with the inputs.

#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "baseline/directed/candidate_samples.h"
#include "baseline/directed/wishes_of_passes.h"
#include "tensor/tensor.h"

namespace culprit {

/// What went in, and the values inside that came of it.
struct Shown {
  std::vector<NamedTensor> inputs;
  std::vector<NamedTensor> values;
};

/// From packs of a sample and of what came of it; empty where they cannot be read.
Shown read_shown(const std::filesystem::path& sample, const std::filesystem::path& output);

/// `base` times the factor at which each of these wants should be granted, as far as the value goes with the inputs; at
/// most four, with factors that differ. Where a border is to be below zero, planes of one value, and the same with
/// the other sign: one of the two has it in every channel. `plain` and `others` hold the values wanted. Inputs that are
/// no floats, or among `fixed`, stay as they are. None where the value does not move.
std::vector<Candidate> scaled_candidates(std::span<const Want> wants, const Shown& plain, std::span<const Shown> others,
                                         const std::vector<NamedTensor>& base, const std::set<std::string>& fixed);

}  // namespace culprit
