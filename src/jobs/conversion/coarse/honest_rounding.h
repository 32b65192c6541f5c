#pragma once
// The source, rounded as its target was meant to be: the yardstick of what rounding to few bits costs this network.

#include <map>
#include <vector>

#include "conversion/coarse/coarse_types.h"
#include "conversion/edits/edit.h"
#include "conversion/map/coverage.h"
#include "conversion/sides/ways.h"

namespace culprit {

/// Edits of the source. Kernels and other parameters of two axes and more that the target does not hold as they are get
/// the nearest numbers of `types.weights`: of integers as many steps as these have, symmetric, between the largest
/// magnitudes (of the whole tensor, or of each slice of its channels). Values that kernels take and give are rounded
/// to as many steps between the smallest and the largest that `sketches` saw; where the target computes in half, all
/// float values are. Pure. What the sketches do not know is left as it is.
std::vector<Edit> honest_rounding(const Ways& source, const ConversionMap& map, const CoarseTypes& types,
                                  const std::map<int, ValueSketch>& sketches);

}  // namespace culprit
