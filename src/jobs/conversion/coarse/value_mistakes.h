#pragma once
// What is wrong with the steps that a target's values go through: too coarse, too short, or in the wrong place. Pure.

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conversion/coarse/target_grids.h"
#include "conversion/edits/edit.h"

namespace culprit {

struct ValueMistake {
  std::string attribute;  ///< "scale", "zero_point", "range"
  std::string message;    ///< one sentence, with the numbers
  double clipped = 0;     ///< share of the source's numbers that the ends cut off
  ValueGrid honest;       ///< as many steps, from the smallest to the largest number; 0 among them
};

/// `numbers`: what the source gives there on its data. Blamed where more than 1 % of them lie beyond the ends, or where
/// the step is more than twice the honest one. The honest grid is symmetric where this one is. It is the zero point
/// where the same steps in another place cut off no more than that. nullopt: neither, or
/// there are no numbers but 0.
std::optional<ValueMistake> value_mistake(const ValueGrid& grid, std::span<const float> numbers);

/// The edits of the target that give a value these steps: scales and zero points of all that quantize and dequantize
/// it. Empty where something else than QuantizeLinear and DequantizeLinear does.
std::vector<Edit> steps_of_value(const Ways& target, int value, const ValueGrid& grid);

}  // namespace culprit
