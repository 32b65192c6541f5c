#pragma once
// What draws gave of one output on one sample: how far they carried each number, what each name became. A draw is the
// original run again with rounding imitated (docs/judging.md); making draws is `check`'s affair, this sees tensors.

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "judge/shared_errors.h"
#include "model/rounding_natures.h"
#include "tensor/tensor.h"

namespace culprit {

/// Draws are made in steps, until what they show settles a verdict: so many in all.
constexpr int first_draw = 1, some_draws = 3, more_draws = 9, all_draws = 27;

/// Draws that gave something: how many, and the number of the last one.
struct Came {
  int times = 0, last = 0;
};

/// An element that draws made another thing of: another name, or NaN or infinite, or no longer so.
struct Flip {
  std::map<std::int64_t, Came> values = {};  ///< names that are numbers: what they became
  std::map<std::string, Came> texts = {};    ///< the same of texts
  Came nan, plus, minus;                     ///< of floats: NaN, an infinity
  Came finite;                               ///< of floats that are not finite in the reference
  double lowest = 0, highest = 0;            ///< of the finite ones
};

struct Drawn {
  Nature nature = Nature::smooth;  ///< see nature_for
  int draws = 0;                   ///< that can be held against the reference element by element
  int discarded = 0;               ///< that failed, or gave another form, type or shape
  /// The largest |draw - reference| of each number, and the second largest; a complex element has two numbers. Draws by
  /// k units in the last place count a k-th of it where numbers are smooth; a jump is as long in any draw. Empty: no
  /// draw moved any.
  std::vector<float> reach = {}, second = {};
  std::vector<std::uint8_t> furthest = {};  ///< which draw reached furthest, of 256
  std::map<std::int64_t, Flip> flips = {};  ///< by element
  /// How much a draw changed the size of each axis at most. Empty: none did.
  std::vector<std::int64_t> resized = {};
  SharedByDraws shared = {};  ///< of smooth numbers: what draws did to many alike
  bool never_moves = false;   ///< nothing of that model is rounded, so there is nothing to draw

  /// Did any draw move number `i`, or make NaN or infinite of it?
  [[nodiscard]] bool moves(std::int64_t i) const {
    return (!reach.empty() && reach[static_cast<std::size_t>(i)] > 0) || (!flips.empty() && flips.contains(i));
  }
  /// Do so many draws tell, or can no more be made?
  [[nodiscard]] bool tell(int enough) const { return never_moves || draws + discarded >= enough; }
};

/// Integers, bools and texts: they have no tolerance.
bool is_exact(DType type);

/// The nature of a value of that type whose graph says `nature`. Floats are never named, for what was picked is a
/// number; exact values that nothing is known to step are names.
Nature nature_for(DType type, Nature nature);

/// The name at `i`, of any integer or bool: unsigned 64-bit ones as their bits.
std::int64_t name_at(const Tensor& tensor, std::int64_t i);

/// Draws move by 1 unit in the last place and by 4 in turns (`number` from 0): numbers have a factor 4 in their limits,
/// and names have no distance to widen.
unsigned ulps_of_draw(int number);

/// Adds what a draw by `ulps` units gave.
void add_draw(Drawn& drawn, const Tensor& reference, const Tensor& draw, unsigned ulps);

}  // namespace culprit
