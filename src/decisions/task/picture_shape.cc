#include "task/picture_shape.h"

namespace culprit {

std::optional<PictureShape> picture_shape(const Shape& shape) {
  PictureShape found;
  const auto is_side = [](std::int64_t dim) { return dim < 0 || dim > 1; };
  if (shape.size() == 2) found = {1, 1, shape[0], shape[1], false};
  if (shape.size() == 3) found = {shape[0], 1, shape[1], shape[2], false};
  if (shape.size() == 4) {
    const bool is_last = shape[3] > 0 && (shape[1] < 0 || shape[3] < shape[1]) && (shape[2] < 0 || shape[3] < shape[2]);
    found = is_last ? PictureShape{shape[0], shape[3], shape[1], shape[2], true}
                    : PictureShape{shape[0], shape[1], shape[2], shape[3], false};
  }
  const bool is_one = shape.size() >= 2 && shape.size() <= 4 && is_side(found.height) && is_side(found.width);
  return is_one ? std::optional(found) : std::nullopt;
}

std::vector<double> with_channels_first(std::vector<double> numbers, const PictureShape& shape) {
  if (!shape.channels_last || shape.channels == 1) return numbers;
  std::vector<double> out(numbers.size());
  const auto channels = static_cast<std::size_t>(shape.channels);
  const auto pixels = static_cast<std::size_t>(shape.height * shape.width);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::size_t picture = i / (pixels * channels), pixel = i / channels % pixels, channel = i % channels;
    out[(picture * channels + channel) * pixels + pixel] = numbers[i];
  }
  return out;
}

}  // namespace culprit
