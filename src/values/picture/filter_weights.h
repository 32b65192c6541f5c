#pragma once
// Along one axis, each pixel of the result is a weighted sum of a few neighbours in the source. Private to this room.

#include <vector>

#include "picture/resize.h"

namespace culprit {

struct AxisWeights {
  struct Reach {
    int first = 0;            ///< the first pixel of the source
    int count = 0;            ///< how many
    std::size_t weights = 0;  ///< where their weights begin
  };
  std::vector<Reach> reaches;  ///< one for each pixel of the result
  std::vector<double> weights;
};

/// For a resize of one axis from `in` to `out` pixels. `shrinks_both`: the other axis does not grow, nor does this one;
/// OpenCV's area depends on it. Not for nearest.
AxisWeights weights_for(const ResizeMethod& method, int in, int out, bool shrinks_both);

/// For nearest and nearest_exact: the pixel of the source that each pixel of the result shows.
std::vector<int> nearest_pixels(const ResizeMethod& method, int in, int out);

}  // namespace culprit
