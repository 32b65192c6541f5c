#pragma once
// How many draws of a sample a verdict needs: as few as settle it.

#include <string>

#include "judge/judge.h"
#include "record/measurement.h"

namespace culprit {

/// What one sample asks for.
struct DrawNeed {
  int draws = 0;         ///< so many in all; 0: what is known is enough
  bool settled = false;  ///< it is wrong, whatever more draws would say
};

/// What a sample asks for of which `drawn` draws are known. A difference in bits asks for one draw; what that does not
/// explain asks for 3, 9 and 27: a Gaussian error exceeds 4 times the largest of 3 draws in 1.1 % of all cases, of 9 in
/// 0.008 %. So what is 16 times beyond its limit after 3 draws is wrong, what is 2 times beyond after 9, what is beyond
/// after 27; but as many times further out as draws stand out against each other (Explained::stands_out: infinite where
/// values jump, and no distance tells), and only of elements that draws moved: what stood still in 3 draws, behind a
/// clamp or between coarse numbers, may move in the next. After 9 also 4 elements or more that are a quarter of all are
/// wrong. What lies within the tolerance is no fault: 3 draws are enough, but for `strict`. What is beyond it and
/// excused by its share alone asks for all, and where errors that many share, or another whole number, are not decided
/// yet (Measurement::undecided) for as many as decide it. `most`: not more than that.
DrawNeed draws_needed(const Measurement& measurement, double stands_out, int drawn, bool strict, int most);

/// The larger need; settled where one is.
DrawNeed more_of(const DrawNeed& a, const DrawNeed& b);

}  // namespace culprit
