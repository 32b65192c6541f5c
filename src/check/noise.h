#pragma once
// The noise floor of every output, measured by draws (DESIGN section 5, docs/judging.md).

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "check/basis.h"
#include "check/desk.h"

namespace culprit {

struct FloorResult {
  std::map<std::string, NoiseFloor> outputs;   ///< of the plain samples
  std::map<std::string, NoiseFloor> directed;  ///< of the directed ones
  std::vector<Warning> warnings;               ///< floor_hides
};

/// Asks for `CheckOptions::draws` draws over at most 4 samples, half of them directed ones where there are so many of
/// both, which have a floor of their own; `then` is called when the floors are known, at once
/// where there is nothing to draw. A draw that fails counts for no output, and one that changes the shape or the
/// pattern of NaN and infinities of an output counts for none of its elements: both are discarded.
void measure_floor(Desk& desk, const Basis& basis, std::function<void(FloorResult)> then);

/// Outputs whose floor lies above the tolerance: there the tolerance finds nothing that rounding would not excuse.
/// `largest`: for each output the reference tensor with the largest rms.
std::optional<Warning> floor_hides(const std::map<std::string, NoiseFloor>& floors,
                                   const std::map<std::string, Tensor>& largest, const Tolerance& tolerance);

}  // namespace culprit
