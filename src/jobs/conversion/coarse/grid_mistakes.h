#pragma once
// What is wrong with the grid of a quantized weight: its scale, its zero point, its axis or its range. Pure.

#include <optional>
#include <span>
#include <string>

#include "conversion/coarse/weight_grids.h"

namespace culprit {

struct GridMistake {
  std::string attribute;  ///< "scale", "zero_point", "axis", "range", "bias"
  std::string message;    ///< one sentence, with the numbers
  GridError found, honest;
  Quantization honest_grid;   ///< of a bias: the grid as it is
  bool is_other_grid = true;  ///< the integers are right on another grid; else the grid is a bad one for these numbers
};

/// A weight is blamed only where the yardstick blames it and a mistake of the grid explains it: with another scale,
/// zero point or axis its integers are as good as honest ones, or they are the nearest on a grid that is too small or
/// too coarse. A bias is blamed where int32 could not hold it, where it is lost, and where all numbers have one factor.
/// Other wrong numbers are no mistake of a grid: nullopt.
std::optional<GridMistake> grid_mistake(const WeightGrid& weight, std::span<const float> right);

}  // namespace culprit
