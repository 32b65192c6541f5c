#pragma once
// Edits that put honest numbers in the place of quantized weights. Pure.

#include <optional>
#include <vector>

#include "conversion/coarse/grid_partners.h"
#include "conversion/coarse/weight_grids.h"
#include "conversion/edits/edit.h"

namespace culprit {

/// All but `number` and `honest` as weight_grids and right_numbers give them.
struct GridRepair {
  const Network& target;
  const std::vector<WeightGrid>& grids;
  const std::vector<std::optional<RightNumbers>>& right;
  std::size_t number = 0;  ///< the grid that is mended
  Quantization honest;     ///< and what it should be
};

/// A layer that takes real numbers gets the right ones, rounded on the honest grid; of a bias they stay as they are. A
/// layer that works with integers gets these, their scales and zero points, and its bias for them.
std::vector<Edit> repairs_of(const GridRepair& repair);

}  // namespace culprit
