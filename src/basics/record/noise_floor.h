#pragma once
// What rounding alone does to an output.

#include <cstdint>

namespace culprit {

/// What rounding alone can do to one output, of the samples that were drawn (docs/judging.md): of all scales in it the
/// one with the widest limit, abs = 4 x deviation + 8 eps x rms (of what is stepped 1.5 x).
struct NoiseFloor {
  double abs = 0;
  double rel = 0;              ///< abs / rms; 0 where rms is
  double deviation = 0;        ///< how far draws carry an element in the middle of the scale
  double rms = 0;              ///< of the scale's finite elements, without fillers
  double eps = 0;              ///< of the output's type; 0 for exact types
  double step = 0;             ///< always 0: a step of quantization is a jump, and is drawn for
  std::int64_t samples = 0;    ///< that were drawn
  std::int64_t scales = 0;     ///< in the sample that has the most
  std::int64_t draws = 0;      ///< that count, of the sample with the most
  std::int64_t discarded = 0;  ///< that failed or changed a shape, of the sample with the most
  std::int64_t ties = 0;       ///< names, and NaN and infinities, that flipped in some draw, over the samples
  bool stepped = false;        ///< numbers behind a jump (Round, a comparison): the deviation is that of all elements
};

}  // namespace culprit
