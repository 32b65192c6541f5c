#pragma once
// From the first wrong value of a target to the next: what is wrong in each region, with the proof.

#include <vector>

#include "conversion/faults/mendable_faults.h"
#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"
#include "conversion/walk/walk.h"
#include "record/diagnosis.h"

namespace culprit {

/// All must outlive it.
struct BlameTask {
  const BothSides& sides;
  ConversionMap& map;                      ///< with its parameters; its values are set to what is found at last
  const std::vector<ValueMatch>& inputs;   ///< bound
  const std::vector<ValueMatch>& outputs;  ///< likewise
  const std::vector<ValueMatch>& wrong;    ///< those of them that are
  const std::vector<bool>& must_be_equal;  ///< as of MatchTask
  bool is_strict = false;                  ///< as of FedTargetRuns
  std::size_t most_faults = 16;
  int most_cuts = 40;
};

struct BlamedLayers {
  std::vector<MendableFault> faults;  ///< without ids; those that no output shows among them
  std::vector<Warning> warnings;      ///< not_explained
  WalkResult walked;
};

/// Errors: interrupted, io.
Result<BlamedLayers> blame_layers(const BlameTask& task);

}  // namespace culprit
