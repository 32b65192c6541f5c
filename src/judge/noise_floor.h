#pragma once
// The noise floor's arithmetic (docs/judging.md): how far rounding alone carries an output, from draws in which inputs
// and weights were moved by one unit in the last place. Sees tensors only; the draws are `check`'s.
//
//     abs = 4 x deviation + 8 eps x rms + step
//
// Draws sample a worst case and do not bound it, hence the 4. A sum that is taken in another order errs even where no
// draw moves anything, hence the 8 eps. The 8-bit floats and smaller are only stored in, never computed in: for them
// eps is 0 and eps x rms, one step of their own grid, stands in `step`.

#include <cstdint>
#include <vector>

#include "record/record.h"
#include "tensor/tensor.h"

namespace culprit {

/// Integers, bools and strings: they have no floor, but ties.
bool is_exact(DType type);

/// Starts a floor with what the reference alone tells: eps, the larger rms, and a grid's own step.
void add_reference(NoiseFloor& floor, const Tensor& reference);

/// How far one draw's output is from the reference's.
struct Drift {
  bool counts = false;   ///< false: it changed the shape, the type or the pattern of NaN and infinities
  double deviation = 0;  ///< the largest |draw - reference| of an element; 0 for exact types
};
Drift drift_of(const Tensor& reference, const Tensor& draw);
/// The same for floats off a jump: of the elements that did not jump.
Drift drift_between_jumps(const Tensor& reference, const Tensor& draw);

/// An element of floats off a jump that rounding moves by more than this has jumped; by less, it was rounded behind the
/// jump: the default atol, below which no difference is a fault. The elements are never more than a few operations
/// away from the jump, so nothing but a jump moves them as far.
double jump_of(const Tensor& reference);

/// Sets `abs` and `rel` from the other parts.
void complete(NoiseFloor& floor);

/// Marks the elements of an exact type that differ in the draw; of floats, those that jumped. `ties` has one byte an
/// element, or is empty at first. Returns how many were not marked before; none where type or shape differ.
std::int64_t mark_flips(const Tensor& reference, const Tensor& draw, std::vector<std::uint8_t>& ties);

/// By how much the draw changed the size of each axis, where that is more than `most` knows (by axis, or empty at
/// first). Returns whether it was; never where the shape is the same, or the type or the rank is another.
bool mark_resize(const Tensor& reference, const Tensor& draw, std::vector<std::int64_t>& most);

}  // namespace culprit
