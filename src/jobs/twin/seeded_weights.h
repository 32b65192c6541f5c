#pragma once
// Seeded values for weights: the same on every machine (no std distributions, no libm; sqrt is exact by IEEE 754).

#include <cstdint>

#include "base/error.h"
#include "twin/find_weights.h"

namespace onnx {
class ModelProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

/// Gives every weight seeded values and makes it an initializer; nodes that made it, and constants that nothing needs
/// any more, go. The values of a weight follow from seed and name alone. Kernels are normal with variance 2 / fan-in
/// (He et al., "Delving Deep into Rectifiers", ICCV 2015), tables standard normal, scales and variances spread around
/// 1, shifts and means small, slopes 0.05 to 0.3. ErrorKind::unsupported where the weights would not fit into a model
/// file.
Result<void> seed_weights(onnx::ModelProto& model, const WeightMap& map, std::uint64_t seed);

/// Multiplies every element, rounded once to the tensor's type. The tensor is one of `seed_weights`.
void scale_tensor(onnx::TensorProto& tensor, double factor);

}  // namespace culprit
