#pragma once
// In words and numbers, how the numbers of a parameter are wrong. Pure.

#include <optional>
#include <span>
#include <vector>

#include "record/diagnosis.h"
#include "tensor/tensor.h"

namespace culprit {

struct WrongNumbers {
  FaultClass kind = FaultClass::parameter;
  FaultEvidence evidence;
};

struct NumbersTask {
  const Shape& shape;  ///< of both
  std::span<const float> right, found;
  std::span<const float> factors;  ///< of a folded kernel, by element; else empty
  std::vector<Shape> pictures;     ///< what was flattened before the layer (element_order.h)
  double within = 1e-6;            ///< an element is wrong beyond this times the larger of itself and the rms
};

/// The first of these that holds: rounded to a grid; the same numbers elsewhere; all 0; a factor; single elements.
/// nullopt where no element is wrong.
std::optional<WrongNumbers> wrong_numbers(const NumbersTask& task);

}  // namespace culprit
