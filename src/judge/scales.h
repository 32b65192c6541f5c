#pragma once
// Elements of one output that are alike: of one size, and moved as far by draws. Each such scale has a limit of its
// own, so that neither a filler of -1e9, nor a large sibling, nor one sensitive element speaks for all
// (docs/judging.md, "Scales").

#include <cstdint>
#include <vector>

#include "judge/drawn.h"
#include "tensor/tensor.h"

namespace culprit {

struct Scale {
  std::int64_t elements = 0;
  double rms = 0;        ///< of its finite elements without fillers; of all where there are no others
  double deviation = 0;  ///< how far draws carry an element in the middle of the scale
  double limit = 0;      ///< 4 x deviation + 8 eps x rms: what rounding may do to any element of it
  /// Elements that exactly one draw carried beyond the limit. So many divided by the draws, a draw more would carry
  /// beyond it for the first time (Good and Turing).
  std::int64_t once = 0;
  double hop = 0, jump = 0;  ///< the shortest and the longest way of those
  std::int64_t unseen = 0;   ///< so many elements may go about as far that no draw carried beyond the limit
};

/// What rounding explains of one output on one sample.
struct Explained {
  Shape shape;  ///< of the reference
  Drawn drawn;
  double eps = 0;                      ///< of the type; 0 for exact ones, and for those that are stored in only
  std::int64_t unseen_flips = 0;       ///< so many names, NaN and infinities may flip that no draw flipped
  std::vector<Scale> scales;           ///< at least one
  std::vector<std::uint8_t> scale_of;  ///< by element; empty: all are of the first

  /// Do its elements jump, or did draws make NaN or infinities of some? Then a distance tells little.
  [[nodiscard]] bool jumps() const { return drawn.nature != Nature::smooth || !drawn.flips.empty(); }
  [[nodiscard]] std::size_t scale_at(std::size_t i) const { return scale_of.empty() ? 0 : scale_of[i]; }
  /// How far rounding may carry element `i`, which is `r`: as far as its scale, or 4 times as far as a draw.
  [[nodiscard]] double limit_at(std::size_t i, double r) const;
};

/// Splits the elements into scales and says what may happen to each.
///
/// - Fillers (elements with the bits of another one that no draw moves: masks, padding) count for no scale's rms.
/// - Slices along an axis part where their rms differs by 16 times, if each has at least 4 elements that are no filler.
/// - Values part at gaps of 2^8 in |r|, unless draws carry the smaller ones as far as rounding of the larger ones goes:
///   then they are what is left where large values cancelled.
/// - The deviation in the middle: the median over the elements, of smooth values over those that moved, if these are
///   eight or most. One sensitive element lifts no other.
Explained explain(const Tensor& reference, Drawn drawn);

/// The largest number that a count of rare events exceeds by chance once in a thousand times, where `mean` are expected
/// (Poisson).
std::int64_t poisson_limit(double mean);

}  // namespace culprit
