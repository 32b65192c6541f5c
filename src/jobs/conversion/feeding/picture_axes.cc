#include "conversion/feeding/picture_axes.h"

namespace culprit {
namespace {

bool may_count_channels(std::int64_t size) { return size == 1 || size == 3 || size == 4; }

}  // namespace

std::optional<PictureAxes> picture_axes(const Shape& shape, bool prefers_last) {
  if (shape.size() != 3 && shape.size() != 4) return std::nullopt;
  const std::size_t first = shape.size() - 3, last = shape.size() - 1;
  const PictureAxes in_front{first, first + 1, first + 2, shape[first]}, behind{last, first, first + 1, shape[last]};
  const bool may_be_in_front = may_count_channels(shape[first]), may_be_behind = may_count_channels(shape[last]);
  if (may_be_in_front && may_be_behind) return prefers_last ? behind : in_front;
  if (may_be_in_front) return in_front;
  return may_be_behind ? std::optional(behind) : std::nullopt;
}

}  // namespace culprit
