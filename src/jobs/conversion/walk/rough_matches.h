#pragma once
// Kernels that are wrong and in another order at once: a wrong number in a network with permuted channels.

#include "conversion/map/coverage.h"

namespace culprit {

/// Kernels of both sides that were not matched, with as many numbers: by the distance of their sorted numbers, the
/// nearest first, as `scrambled` in the order that letters give. Evidence of where a layer is, and no more.
void add_rough_matches(ConversionMap& map);

}  // namespace culprit
