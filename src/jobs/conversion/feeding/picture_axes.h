#pragma once
// Which axes of an input are those of a picture. Private to this folder.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "tensor/tensor.h"

namespace culprit {

struct PictureAxes {
  std::size_t channel = 0, height = 0, width = 0;
  std::int64_t channels = 0;
};

/// [N,C,H,W], [N,H,W,C], or either without N, by where 3, 1 or 4 stands as the number of channels. Where both could be:
/// channels last if `prefers_last`. nullopt: it is no picture.
std::optional<PictureAxes> picture_axes(const Shape& shape, bool prefers_last);

}  // namespace culprit
