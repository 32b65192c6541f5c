#pragma once
// What quantized weights should hold: the numbers of the source. Pure.

#include <optional>
#include <vector>

#include "conversion/coarse/weight_grids.h"
#include "conversion/map/coverage.h"

namespace culprit {

struct RightNumbers {
  std::size_t source = 0;      ///< into the derived tensors
  std::vector<float> numbers;  ///< in the target's shape
};

/// By grid; nullopt where nobody knows. First what the map found. Else numbers of the same form, whatever scale and
/// zero point make of them: the nearest in some order of the axes, less their mean, over their size. Then kernels of
/// one size that are left, in the order of their layers, where both sides have as many. A bias belongs to the layers of
/// its kernel.
std::vector<std::optional<RightNumbers>> right_numbers(const ConversionMap& map, const std::vector<WeightGrid>& grids);

}  // namespace culprit
