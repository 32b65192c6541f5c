#pragma once
// Rounding explains faults, too, where it alone moves an output as far as they would.

#include <span>

#include "record/measurement.h"
#include "tensor/tensor.h"

namespace culprit {

/// Did rounding have to explain an element that is beyond the tolerance, and is the output off by more than 2 % of the
/// mean size of the source's? Then that it is explained says nothing: `measurement` of these tensors, one a sample.
bool hides_faults(const Measurement& measurement, std::span<const Tensor> source);

}  // namespace culprit
