#pragma once
// Tells where rows, columns and channels of a picture are. Private to this room.

#include <optional>

#include "task/outputs.h"

namespace culprit {

/// A dimension is -1 where it is not known.
struct PictureShape {
  std::int64_t pictures = 1, channels = 1, height = 0, width = 0;
  bool channels_last = false;
};

/// Reads [N,C,H,W] and [N,H,W,C] (the channels are where there are fewer), [N,H,W] and [H,W]. Nothing for other shapes,
/// and for pictures of one row or column.
std::optional<PictureShape> picture_shape(const Shape& shape);

/// The elements with channels first, [N,C,H,W].
std::vector<double> with_channels_first(std::vector<double> numbers, const PictureShape& shape);

}  // namespace culprit
