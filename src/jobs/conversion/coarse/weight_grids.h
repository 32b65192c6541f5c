#pragma once
// The quantized weights of a network, with the grids of their integers. Pure.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "conversion/coarse/quantization_yardstick.h"
#include "conversion/map/match_parameters.h"

namespace culprit {

/// Where an operator that works with integers itself (QLinearConv) takes scale and zero point of a weight.
struct ScaleInputs {
  std::size_t scale = 0, zero_point = 0;
  std::optional<std::size_t> taken_scale = {};  ///< of a bias: its scale is this one times `scale`
};

/// One use of a quantized constant.
struct WeightGrid {
  int layer = -1;
  std::size_t at = 0;                            ///< of NetworkLayer::inputs
  int value = -1;                                ///< what the layer takes there
  int stored = -1;                               ///< the value that holds the integers
  std::string role, axes;                        ///< as of Parameter
  NumberGrid grid;                               ///< `axis` is that of `numbers`
  TensorOfNumbers numbers;                       ///< what the integers mean
  std::optional<std::size_t> parameter = {};     ///< into the target's parameters
  std::optional<ScaleInputs> scale_inputs = {};  ///< nullopt: numbers come from a DequantizeLinear, or the file scales
  [[nodiscard]] bool is_bias() const { return role == "bias"; }
};

/// Constants that a file scales (TFLite), that a DequantizeLinear makes real, and that QLinearConv, QLinearMatMul and
/// QGemm take. Of scales in blocks, and of scales that are computed, nothing is known. `parameters`: of the network,
/// with the numbers that constants give.
std::vector<WeightGrid> weight_grids(const Network& network, const std::vector<TargetParameter>& parameters);

/// The type of an operator without the domain "com.microsoft".
std::string_view plain_type(const NetworkLayer& layer);

/// Scales and zero points that a layer takes at these inputs; nullopt: they are no constants.
std::optional<Quantization> quantization_at(const Network& network, const NetworkLayer& layer, std::size_t scale,
                                            std::size_t zero_point, int axis);

}  // namespace culprit
