#pragma once
// What rounding does to the elements of a tensor that a node computes, or adds up, imitated (docs/judging.md, "What
// draws reach").

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "tensor/tensor.h"

namespace culprit {

struct RoundingMoves {
  unsigned ulps = 1;  ///< each element moves by so many units in the last place, up or down
  /// Arithmetic is exact where all that comes out lies on one grid that is much coarser than the type's
  /// (`is_on_a_grid`); then nothing moves. Not for functions that end at round numbers (a sigmoid at 1).
  bool may_be_exact = false;
  /// A function that errs by as much everywhere, however small its value: each element moves by at least this, in eps
  /// of the type, but by no more than half of itself.
  double least = 0;
  /// A Fourier transform [..., frequencies, 2]: each element is a sum of all numbers, so it moves by eps times the RMS
  /// of all frequencies, and that 4 times (measured with ONNX Runtime 1.31), or as often as there are frequencies where
  /// these are no power of two: it then takes a way with large numbers in between (Bluestein's).
  bool is_transform = false;
  /// What is moved goes into a sum along these axes. A sum errs as its partial sums do: by t_1 d_1 + (t_1 + t_2) d_2 +
  /// ..., which is each term times the sum of the d that are still to come. So neighbours along the sum move alike, as
  /// a random walk does. Empty: each by itself.
  std::vector<std::int64_t> summed_axes = {};
  /// So many terms are in a sum, for the walk goes no further than their square root; 0: the product of the axes.
  std::int64_t terms = 0;
};

/// Are all elements multiples of one unit, so that sums of them are exact: whole numbers, halves, counts? At least 4
/// bits of the type must be left over (3 of 16-bit floats), and 12 where there are fewer than 8 elements: numbers that
/// were rounded are on a grid by chance once in a million times. Zeros and what is not finite tell nothing.
bool is_on_a_grid(DType type, std::span<const std::byte> bytes);

/// Moves the elements of a tensor of this shape in place. Only f64, f32, f16 and bf16; never to or across zero, nor
/// into infinity. The same seed gives the same bits everywhere.
void imitate_rounding(DType type, const Shape& shape, std::span<std::byte> bytes, Random& random,
                      const RoundingMoves& rounding);

}  // namespace culprit
