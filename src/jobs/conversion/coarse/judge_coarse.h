#pragma once
// A target in fewer bits, judged as a whole: by what an honest rounding of the source costs.

#include <optional>
#include <string>
#include <vector>

#include "conversion/coarse/coarse_errors.h"
#include "conversion/coarse/coarse_types.h"
#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

struct CoarseVerdict {
  CoarseTypes types;
  bool is_within = false;      ///< no output is further off than three times what the honest rounding costs
  std::string message;         ///< with the numbers
  OutputErrors found, honest;  ///< of the wrong outputs; empty where none is
};

/// No output is further off than three times what the honest rounding costs it; false where nothing is known.
bool is_within_honest(const OutputErrors& found, const OutputErrors& honest);

/// nullopt: the target is no coarser than the source. `outputs`: bound, and those of them that are wrong by the rules
/// of float32. One run of the rounded source and one of the target. Errors: interrupted, io.
Result<std::optional<CoarseVerdict>> judge_coarse(const BothSides& sides, const ConversionMap& map,
                                                  const std::vector<ValueMatch>& wrong_outputs);

/// What of the source is found in a coarse target: values no further apart than 0.1 (conversion/axis_order.h). Errors
/// likewise.
Result<ValueMatches> match_coarsely(const BothSides& sides, const std::vector<ValueMatch>& inputs);

}  // namespace culprit
