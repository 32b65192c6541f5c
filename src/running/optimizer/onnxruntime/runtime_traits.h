#pragma once
// ONNX Runtime as an optimizer, for whoever plans and searches.

#include <string>

#include "optimizer/onnxruntime/harvest_steps.h"
#include "optimizer/traits.h"

namespace culprit {

/// Its steps are those that can be left out or may be; what always runs is none. Its bundles are the levels up to
/// `level`, the users' one, but for levels that add nothing. ErrorKind::unsupported where the library has no step at
/// that level.
Result<OptimizerTraits> runtime_traits(const Harvest& harvest, Level level);

}  // namespace culprit
