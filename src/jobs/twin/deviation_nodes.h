#pragma once
// Deviation nodes: nodes in a model that tell the standard deviation at each layer, so that it is calibrated by a few
// runs, however deep it is.

#include <span>
#include <string>
#include <vector>

#include "twin/find_weights.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

enum class DeviationMode {
  measure,  ///< the model computes what it did
  adapt,  ///< each layer is also scaled to what is expected on the spot, so that those behind it see what they will see
          ///< once it is calibrated: all layers come right at once, as in data-dependent initialization (Krähenbühl et
          ///< al., ICLR 2016), which takes one run a layer
};

/// Adds deviation nodes at the output of layers with a kernel, at the input of normalizations. A deviation node is a
/// float32 scalar (of shape [1,...,1]): sqrt(var + 2^-20 mean^2 + 2^-120) over all elements, in units of `expected`,
/// which has an entry for each layer (what a normalization's mean and variance are made for; 1 for a kernel). Layers
/// that share their kernel with one before are scaled as that one is. Returns a value name for each layer, in the order
/// of `layers`; "" for those that share (mode adapt). The model must be of opset 7 or later, which broadcasts. The
/// values are not outputs yet.
std::vector<std::string> add_deviation_nodes(onnx::ModelProto& model, std::span<const Layer> layers,
                                             std::span<const double> expected, DeviationMode mode);

/// What add_deviation_nodes needs.
inline constexpr std::int64_t first_measured_opset = 7;

}  // namespace culprit
