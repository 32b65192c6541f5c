#pragma once
// How good is a grid of integers for the numbers that it holds? The yardstick is an honest grid of the same form, made
// from the right numbers themselves. Pure.

#include <optional>
#include <span>
#include <vector>

#include "network/network.h"

namespace culprit {

/// The smallest and the largest integer of a type.
struct IntegerLevels {
  double lowest = 0, highest = 0;
};
IntegerLevels levels_of(DType type);

/// The integers of a tensor, and what they mean.
struct NumberGrid {
  DType type = DType::i8;  ///< of the integers
  Quantization by = {};    ///< `axis` is that of the tensor
  /// All zero points stand in the middle of the type: 0 of signed ones.
  [[nodiscard]] bool is_symmetric() const;
};

/// Root of the mean square of what the numbers are off, and the share of them that lies more than half a step outside.
struct GridError {
  double rms = 0;
  double clipped = 0;
};

struct GridVerdict {
  GridError found;           ///< of the numbers as they are
  GridError honest;          ///< of the honest grid
  Quantization honest_grid;  ///< in the form of the one that is judged
  bool is_blamed = false;
};

/// The nearest numbers on the grid, or the ends of its range. A scale of 0 leaves 0. nullopt: the scales do not fit the
/// shape.
std::optional<std::vector<float>> on_grid(const Shape& shape, std::span<const float> numbers, const NumberGrid& grid);

/// The integers that numbers on the grid were, as whole doubles. nullopt likewise.
std::optional<std::vector<double>> steps_of(const Shape& shape, std::span<const float> numbers, const NumberGrid& grid);

/// The honest grid has the same integers, axis and symmetry, and for each slice the scale of least squares: the range
/// of the numbers, or some part of it. Where the grid uses no more than half of the integers, as quantizers do for the
/// sake of 16-bit sums, so does the honest one. Blamed is what is further off than twice the honest error, or where
/// more than 1 % is clipped beyond what the honest grid clips; but nothing that is as near as the whole range of the
/// numbers gives. nullopt: the scales do not fit the shape, or counts differ.
std::optional<GridVerdict> judge_numbers(const Shape& shape, std::span<const float> right, std::span<const float> found,
                                         const NumberGrid& grid);

}  // namespace culprit
