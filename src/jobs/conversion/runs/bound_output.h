#pragma once
// What a report says of an output, or an input, and the one that it is bound to.

#include <string>

#include "conversion/runs/both_sides.h"
#include "record/diagnosis.h"

namespace culprit {

const std::string& name_in(const ReadSide& side, int value);

/// "" where the order moves nothing.
std::string order_in_words(const ValueMatch& match, const BothSides& sides);

BoundOutput bound_output(const ValueMatch& match, const BothSides& sides, const Measurement& measurement);

}  // namespace culprit
