#pragma once
// What the report says of rounding.

#include <map>
#include <string>
#include <vector>

#include "record/noise_floor.h"
#include "record/warning.h"
#include "trial/known_rounding.h"
#include "trial/reference.h"

namespace culprit {

/// By output, of the samples that were drawn, each with its most draws: the scale whose limit is the widest.
std::map<std::string, NoiseFloor> noise_floors(const KnownRounding& known);

/// The warning `floor_hides` where rounding may move a tenth of an output's elements further than the tolerance: there
/// smaller faults cannot be seen. Directed samples, which are made to be extreme, do not count.
std::vector<Warning> hidden_by_rounding(const Reference& reference, const KnownRounding& known);

}  // namespace culprit
