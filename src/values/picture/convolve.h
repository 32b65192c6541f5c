#pragma once
// The two passes of a resize: along the rows, and along the columns. Private to this room.

#include "picture/filter_weights.h"
#include "picture/resize.h"

namespace culprit {

/// Pillow's arithmetic: weights of 22 bits, and whole grey levels after each pass. An axis without weights is left.
/// Which pass is the first can be seen in the result.
Pixels<std::uint8_t> convolve_bytes(const PixelView& pixels, const AxisWeights* rows, const AxisWeights* columns,
                                    bool columns_first);
/// Convolves in floats, rounded nowhere.
Pixels<float> convolve_floats(const PixelView& pixels, const AxisWeights* rows, const AxisWeights* columns);

}  // namespace culprit
