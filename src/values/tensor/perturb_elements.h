#pragma once
// Rounding, imitated: every element a step up or down the number line of its type. What an output does under such draws
// is what rounding alone can do to it (the noise floor, docs/judging.md).

#include "base/random.h"
#include "tensor/imitate_rounding.h"
#include "tensor/tensor.h"

namespace culprit {

/// Can elements of this type be moved? f64, f32, f16 and bf16.
bool is_nudgeable(DType type);

/// Each finite, nonzero element of a float tensor moves by `ulps` units in the last place, up or down by a fair draw;
/// never to or across zero and never into infinity: at either end of the range it goes no further than the last number.
/// Zeros, NaN, infinities and tensors of other types stay as they are. The same seed gives the same bits everywhere.
Tensor perturbed(const Tensor& tensor, Random& random, unsigned ulps = 1);

/// Perturbs a tensor in the ways of `rounding`.
Tensor perturbed(const Tensor& tensor, Random& random, const RoundingMoves& rounding);

}  // namespace culprit
