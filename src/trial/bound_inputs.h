#pragma once
// What a variant is fed.

#include <string>
#include <vector>

#include "judge/interface_binding.h"

namespace culprit {

/// The inputs as they are bound, and those of the names in `fed` beyond them that the variant takes as well: inputs
/// with a default that the samples override.
std::vector<BoundInput> bound_inputs(const Binding& binding, const Interface& variant,
                                     const std::vector<std::string>& fed);

}  // namespace culprit
