#pragma once
// Whole numbers that are stored as floats: labels, seconds, pixels. No rounding turns one into another
// (docs/judging.md, "Whole numbers in floats").

#include <vector>

#include "judge/draw_results.h"
#include "tensor/tensor.h"

namespace culprit {

/// By scale the unit, a power of two, of which all its elements are multiples that no draw moved; 0 where they are on
/// no grid (as in tensor/imitate_rounding.h, `is_on_a_grid`), where they have fewer than 4 values other than 0, and of
/// numbers that jump where draws moved more than 1 element in 16. `scale_of`: by element; empty: all are of the first.
/// Empty where nothing was drawn.
std::vector<double> units_of(const Tensor& reference, const Drawn& drawn, std::size_t scales,
                             const std::vector<std::uint8_t>& scale_of);

/// Is it a whole number of `unit`, which is a power of two?
bool is_multiple(double value, double unit);

}  // namespace culprit
