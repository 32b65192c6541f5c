#pragma once
// The parameters of a target, read and matched to those of the source.

#include "conversion/map/coverage.h"
#include "conversion/runs/both_sides.h"

namespace culprit {

/// `map` has its derived tensors; it gets the target's parameters and the matches, rough ones among them. Errors: of
/// reading.
Result<void> match_target_parameters(ReadSide& target, ConversionMap& map);

}  // namespace culprit
