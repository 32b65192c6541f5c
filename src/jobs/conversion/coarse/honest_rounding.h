#pragma once
// The source, rounded as its target was meant to be: the yardstick of what rounding to few bits costs this network.

#include <map>
#include <set>
#include <vector>

#include "conversion/coarse/coarse_types.h"
#include "conversion/coarse/target_grids.h"
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

/// How a target is imitated by its source.
struct RoundingTask {
  const Ways& source;
  const ConversionMap& map;
  const CoarseTypes& types;
  const std::map<int, ValueSketch>& sketches;  ///< of the source
  const TargetGrids& grids;                    ///< of the target; where it has some, these are taken, not honest ones
};

/// For these layers only: their parameters (biases too, where the target's are known), and the values that they take
/// and give, for all who use them; what an activation behind a layer gives counts as the layer's where the target
/// rounds only that. So a value stays as it is where no layer that takes or gives it is among these. So quantizers do
/// it that leave out some nodes.
std::vector<Edit> rounding_of_layers(const RoundingTask& task, const std::set<int>& layers);

/// The layers that can be left out of the rounding, in their order: those with a kernel
/// or another parameter of two axes and more; where the target computes in
/// half, all that compute and do not only move numbers. Only where there is something to round.
std::vector<int> layers_that_round(const RoundingTask& task);

}  // namespace culprit
