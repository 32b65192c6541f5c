#include "picture/resize.h"

#include <algorithm>
#include <optional>
#include <string>

#include "base/word_names.h"
#include "picture/convolve.h"
#include "picture/filter_weights.h"

namespace culprit {
namespace {

constexpr WordNames<Backend, 4> backend_names{
    {{Backend::pillow, "pillow"}, {Backend::opencv, "opencv"}, {Backend::torch, "torch"}, {Backend::tf, "tf"}}};
constexpr WordNames<Filter, 6> filter_names{{{Filter::nearest, "nearest"},
                                             {Filter::nearest_exact, "nearest-exact"},
                                             {Filter::area, "area"},
                                             {Filter::bilinear, "bilinear"},
                                             {Filter::bicubic, "bicubic"},
                                             {Filter::lanczos, "lanczos"}}};

bool has_filter(Backend backend, Filter filter) {
  if (filter == Filter::nearest_exact) return backend == Backend::torch;
  return filter != Filter::lanczos || backend != Backend::torch;
}

bool is_nearest(Filter filter) { return filter == Filter::nearest || filter == Filter::nearest_exact; }

template <class T>
Pixels<T> nearest(const PixelView& pixels, PictureSize size, const ResizeMethod& method) {
  const std::vector<int> columns = nearest_pixels(method, pixels.width, size.width);
  const std::vector<int> rows = nearest_pixels(method, pixels.height, size.height);
  const auto channels = static_cast<std::size_t>(pixels.channels);
  Pixels<T> result{size.width, size.height, pixels.channels, {}};
  result.values.resize(result.row_length() * static_cast<std::size_t>(size.height));
  T* to = result.values.data();
  for (const int y : rows) {
    const std::uint8_t* row = pixels.values.data() + static_cast<std::size_t>(y) * pixels.width * channels;
    for (const int x : columns)
      for (std::size_t c = 0; c < channels; ++c) *to++ = row[static_cast<std::size_t>(x) * channels + c];
  }
  return result;
}

/// The weights of both axes; nothing for an axis that keeps its length.
struct BothAxes {
  std::optional<AxisWeights> rows, columns;
  BothAxes(const PixelView& pixels, PictureSize size, const ResizeMethod& method) {
    const bool shrinks_both = size.width <= pixels.width && size.height <= pixels.height;
    if (size.width != pixels.width) rows = weights_for(method, pixels.width, size.width, shrinks_both);
    if (size.height != pixels.height) columns = weights_for(method, pixels.height, size.height, shrinks_both);
  }
  [[nodiscard]] const AxisWeights* along_rows() const { return rows ? &*rows : nullptr; }
  [[nodiscard]] const AxisWeights* along_columns() const { return columns ? &*columns : nullptr; }
};

}  // namespace

std::string_view name_of(Backend backend) { return name_in(backend_names, backend); }
std::string_view name_of(Filter filter) { return name_in(filter_names, filter); }

Result<void> check_method(const ResizeMethod& method) {
  if (has_filter(method.backend, method.filter)) return {};
  std::string names;
  for (const auto& [filter, name] : filter_names)
    if (has_filter(method.backend, filter)) names += (names.empty() ? "" : ", ") + std::string(name);
  return fail(
      ErrorKind::usage,
      "the backend " + std::string(name_of(method.backend)) + " has no filter " + std::string(name_of(method.filter)),
      "it has " + names);
}

Pixels<std::uint8_t> resized(const PixelView& pixels, PictureSize size, const ResizeMethod& method) {
  if (is_nearest(method.filter)) return nearest<std::uint8_t>(pixels, size, method);
  if (method.backend == Backend::pillow || method.backend == Backend::pillow12) {
    const BothAxes axes(pixels, size, method);
    const int lost_rows = pixels.height - size.height;
    const int lost_columns = pixels.width - size.width;
    const bool columns_first =
        method.backend == Backend::pillow && lost_rows > 0 && lost_rows > std::int64_t{2} * lost_columns;
    return convolve_bytes(pixels, axes.along_rows(), axes.along_columns(), columns_first);
  }
  return rounded(resized_to_floats(pixels, size, method));
}

Pixels<float> resized_to_floats(const PixelView& pixels, PictureSize size, const ResizeMethod& method) {
  if (is_nearest(method.filter)) return nearest<float>(pixels, size, method);
  const BothAxes axes(pixels, size, method);
  return convolve_floats(pixels, axes.along_rows(), axes.along_columns());
}

Pixels<std::uint8_t> rounded(const Pixels<float>& pixels) {
  constexpr float whole = 1 << 23;  // floats from here on have no fractions: adding it rounds, many at a time
  Pixels<std::uint8_t> result{pixels.width, pixels.height, pixels.channels, {}};
  result.values.resize(pixels.values.size());
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    const float cut = std::min(std::max(pixels.values[i], 0.0F), 255.0F);
    result.values[i] = static_cast<std::uint8_t>(static_cast<int>((cut + whole) - whole));
  }
  return result;
}

}  // namespace culprit
