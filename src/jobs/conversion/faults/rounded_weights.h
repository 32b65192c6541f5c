#pragma once
// Were the weights of a whole network rounded on the way, all to one grid? Then that is one fault, and no layer's.
// Pure.

#include <optional>
#include <vector>

#include "conversion/edits/edit.h"
#include "conversion/faults/rounding_grid.h"
#include "conversion/map/coverage.h"

namespace culprit {

struct RoundedWeights {
  RoundingGrid grid;
  std::vector<std::size_t> matches;  ///< into ConversionMap::parameters, in the order of the source's layers
  std::vector<SetConstant> right;    ///< by match: the source's numbers, in the target's layout
  std::vector<int> layers;           ///< of the source, that these rest on; in order
  double mean_difference = 0;        ///< the largest
  std::size_t weights = 0,
              rounded = 0;  ///< of two axes and 16 numbers and more: all that were matched, and those of them
};

/// Looks at stored constants that a float parameter of the source stands for, in the order that letters give. nullopt:
/// fewer than 3 weights, or less than half of all, are rounded to one grid; multiples count as one grid whatever their
/// step.
std::optional<RoundedWeights> rounded_weights(const ConversionMap& map, const Network& target);

}  // namespace culprit
