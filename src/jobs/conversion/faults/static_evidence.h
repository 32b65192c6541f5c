#pragma once
// What files say against a layer before anything runs. Pure.

#include <vector>

#include "conversion/map/coverage.h"

namespace culprit {

/// By the source's value: is a parameter of the layer that makes it changed, or a number that it works with another one
/// (an epsilon)? Then what drifts there is no rounding.
std::vector<bool> values_under_suspicion(const ConversionMap& map, const Network& source, const Network& target);

}  // namespace culprit
