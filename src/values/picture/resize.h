#pragma once
// Resizing as the libraries do it that nets were trained with. They differ by tens of grey levels: where a pixel's
// middle is, whether a smaller picture is smoothed first, which cubic it is, what is beyond the border.
//
// pillow and pillow12 are Pillow's to the byte. opencv, torch and tf are within one grey level of OpenCV 4, torch and
// TensorFlow 2. One call has one thread and no state, so many may run at once.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "picture/picture.h"

namespace culprit {

enum class Backend {
  pillow,    ///< version 13: where a picture loses far more rows than columns, the rows are summed up first
  pillow12,  ///< all before: the columns first, always
  opencv,
  torch,
  tf
};
std::string_view name_of(Backend backend);

enum class Filter {
  nearest,
  nearest_exact,  ///< torch only: pixels by their middles
  area,           ///< Pillow calls it box
  bilinear,
  bicubic,
  lanczos,  ///< over 3 pixels to each side; OpenCV's over 4
};
std::string_view name_of(Filter filter);

struct ResizeMethod {
  Backend backend = Backend::pillow;
  Filter filter = Filter::bilinear;
  /// Smooths when it makes a picture smaller. For torch and tf to choose; Pillow always does, OpenCV never.
  bool antialias = false;
  bool operator==(const ResizeMethod&) const = default;
};

/// Interleaved channels, 1 or 3, row by row.
template <class T>
struct Pixels {
  int width = 0;
  int height = 0;
  int channels = 3;
  std::vector<T> values;
  [[nodiscard]] std::size_t row_length() const { return static_cast<std::size_t>(width) * channels; }
};

struct PixelView {
  int width = 0;
  int height = 0;
  int channels = 3;
  std::span<const std::uint8_t> values;
  PixelView(const Picture& picture) : width(picture.width), height(picture.height), values(picture.rgb) {}
  PixelView(const Pixels<std::uint8_t>& pixels)
      : width(pixels.width), height(pixels.height), channels(pixels.channels), values(pixels.values) {}
};

/// An error where the backend has no such filter; it says which it has.
Result<void> check_method(const ResizeMethod& method);

/// Whole grey levels, as Pillow, OpenCV and torchvision keep them. `size` is at least 1 x 1; the method is one that
/// check_method() knows.
Pixels<std::uint8_t> resized(const PixelView& pixels, PictureSize size, const ResizeMethod& method);
/// TensorFlow does not round, nor cut off what is below 0 and above 255.
Pixels<float> resized_to_floats(const PixelView& pixels, PictureSize size, const ResizeMethod& method);
/// To whole grey levels from 0 to 255, a half to the even one.
Pixels<std::uint8_t> rounded(const Pixels<float>& pixels);

}  // namespace culprit
