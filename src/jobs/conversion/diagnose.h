#pragma once
// What went wrong when a model was converted: where the two networks part, what the fault is, and the proof. Pure but
// for its folder: all runs are asked of the Executor.

#include <cstdint>
#include <string>
#include <vector>

#include "compare/compare_models.h"
#include "conversion/sides/side.h"
#include "record/diagnosis.h"

namespace culprit {

struct DiagnoseOptions {
  std::vector<std::string> map;  ///< --map: "a=b", inputs and outputs
  Tolerance tolerance = {};
  bool strict = false;  ///< beyond the noise floor is a difference, also within the tolerance
  int draws = 3;        ///< of each side
  std::size_t map_samples = 4;
  std::uint64_t bytes_per_run = std::uint64_t{256} << 20;
  std::size_t most_faults = 16;
  int most_cuts = 40;
};

/// `samples`: packs by the source's names. Facts of the files, data, environment and command are left to the caller.
/// Errors: usage (--map), interrupted, io. All else is a status.
Result<Diagnosis> diagnose(const Side& source, const Side& target, const CompareSamples& samples,
                           const DiagnoseOptions& options, const CompareTools& tools);

}  // namespace culprit
