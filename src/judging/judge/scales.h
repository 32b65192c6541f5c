#pragma once
// Elements of one output that are alike: of one size, and moved as far by draws. Each such scale has a limit of its
// own, so that neither a filler of -1e9, nor a large sibling, nor one sensitive element speaks for all
// (docs/judging.md, "Scales").

#include <cstdint>
#include <vector>

#include "judge/draw_results.h"
#include "judge/element_sizes.h"
#include "judge/shared_errors.h"
#include "tensor/tensor.h"

namespace culprit {

struct Scale {
  std::int64_t elements = 0;
  double rms = 0;        ///< of its finite elements without fillers; of all where there are no others
  double deviation = 0;  ///< how far draws carry an element in the middle of the scale
  double limit = 0;      ///< of an element in the middle: times_reach x deviation + 8 eps x rms
  bool moves = false;    ///< do draws move any element?
  /// An element happened once if exactly one draw carried it beyond what all others allow. So many divided by the
  /// draws, a draw more would carry beyond what these allow for the first time (Good and Turing).
  std::int64_t once = 0;
  /// A hop is the shortest way that such a draw carried one of those elements, a jump is the longest.
  double hop = 0, jump = 0;
  double times = 0;         ///< the most of those, as times of what the other draws allow
  std::int64_t unseen = 0;  ///< so many elements may go about as far that no draw carried beyond the limit
};

/// What rounding explains of one output on one sample.
struct Explained {
  Shape shape;  ///< of the reference
  Drawn drawn;
  double eps = 0;                      ///< of the type; 0 for exact ones, and for those that are stored in only
  double least = 0;                    ///< the distance of the numbers next to zero
  std::int64_t unseen_flips = 0;       ///< so many names, NaN and infinities may become what no draw made of them
  std::vector<Scale> scales;           ///< at least one
  std::vector<std::uint8_t> scale_of;  ///< by element; empty: all are of the first
  std::vector<Filler> fillers;         ///< by element; empty: none is one
  std::vector<SharedLimit> shared;     ///< by group of drawn.shared; empty: nothing is known of what many share
  std::vector<double> units;           ///< by scale: of whole numbers their unit, else 0; empty: all are 0

  /// Do its elements jump, or did draws make NaN or infinities of some? Then a distance tells little.
  [[nodiscard]] bool jumps() const { return drawn.nature != Nature::smooth || !drawn.flips.empty(); }
  [[nodiscard]] std::size_t scale_at(std::size_t i) const { return scale_of.empty() ? 0 : scale_of[i]; }
  /// An element is told if draws say how far it goes. They do not say so where it stood still beside others of its
  /// scale that moved.
  [[nodiscard]] bool is_told(std::size_t i) const;
  /// How far rounding may carry element `i`, which is `r`.
  [[nodiscard]] double limit_at(std::size_t i, double r) const;
  /// An element borrows where it may go as far as the middle of its scale, further than its own draws carried it. After
  /// fewer than 9 draws it borrows all of that; the unlent limit is the one where it borrows what it could after 9.
  [[nodiscard]] double unlent_limit_at(std::size_t i, double r) const;
  /// How large are the numbers of which an element that is `r` is made? The rms of its scale, but no more than 2^8 |r|
  /// or than those whose rounding is as large as what draws do to it.
  [[nodiscard]] double size_at(std::size_t i, double r) const;
  /// How far element `i` may be off because of the size of the numbers that it is made of, and for nothing else: 8
  /// times as far as draws carried it, but no more than 8 eps x the rms of its scale.
  [[nodiscard]] double limit_by_size_at(std::size_t i) const;
  /// `limit_at` for one that so many draws carried `own` at most.
  [[nodiscard]] double limit_of(std::size_t i, double r, double own, int draws) const;
  /// The unit of element `i`, if it is a whole number that no draw moves; else 0.
  [[nodiscard]] double unit_at(std::size_t i) const;
  /// By how much draws stand out against each other, in times of a limit: as much tells nothing of a variant. At
  /// least 1.
  [[nodiscard]] double stands_out() const;
};

/// Draws sample what rounding may do and do not bound it: smooth numbers may go 4 times as far. A jump is as long in
/// any draw, but behind it there is rounding, too.
double times_reach(Nature nature);

/// Splits the elements into scales and says what may happen to each.
///
/// A filler is an element with the bits of another one that no draw moves: masks, padding. It counts for no scale's
/// rms.
///
/// Slices along an axis are scales of their own where their rms differs by 16 times, if each has at least 4 elements
/// that are no fillers.
///
/// Values part at gaps of 2^8 in |r|. A small one stays with the larger ones where draws carry it as far as their
/// rounding goes: it is what is left where large values cancelled.
///
/// The deviation is the median over the elements that are no fillers. The others may go as far, but no further than is
/// likely from their own draws: 16 times their own after 9 draws, 4 times after 27.
Explained explain(const Tensor& reference, Drawn drawn);

/// The largest number that a count of rare events exceeds by chance once in a thousand times, where `mean` are expected
/// (Poisson).
std::int64_t poisson_limit(double mean);

}  // namespace culprit
