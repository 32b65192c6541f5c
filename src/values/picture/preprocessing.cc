#include "picture/preprocessing.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <new>

#include "picture/picture_plan.h"

namespace culprit {
namespace {

using Bytes = Pixels<std::uint8_t>;
using Floats = Pixels<float>;

/// Pillow's convert("L"), and OpenCV's COLOR_BGR2GRAY, which can be one level apart.
std::uint8_t grey_of(const std::uint8_t* rgb, Backend backend) {
  if (backend == Backend::opencv)
    return static_cast<std::uint8_t>((rgb[0] * 9798 + rgb[1] * 19235 + rgb[2] * 3735 + (1 << 14)) >> 15);
  return static_cast<std::uint8_t>((rgb[0] * 19595 + rgb[1] * 38470 + rgb[2] * 7471 + (1 << 15)) >> 16);
}

Bytes grey_pixels(const Picture& picture, Backend backend) {
  Bytes grey{picture.width, picture.height, 1, {}};
  grey.values.resize(picture.rgb.size() / 3);
  for (std::size_t i = 0; i < grey.values.size(); ++i) grey.values[i] = grey_of(&picture.rgb[3 * i], backend);
  return grey;
}

/// A part of the pixels, or more than they are: what lies outside has the colour.
template <class T>
Pixels<T> window_on(const T* values, PictureSize from, int channels, const PlannedStep& step) {
  Pixels<T> result{step.size.width, step.size.height, channels, {}};
  result.values.resize(result.row_length() * static_cast<std::size_t>(step.size.height));
  const bool is_inside = step.left >= 0 && step.top >= 0 && step.left + step.size.width <= from.width &&
                         step.top + step.size.height <= from.height;
  std::array<std::uint8_t, 3> color = step.color;
  if (channels == 1) color[0] = grey_of(step.color.data(), Backend::pillow);
  if (!is_inside) {
    const std::size_t length = result.row_length();
    for (std::size_t i = 0; i < length; ++i) result.values[i] = color[i % static_cast<std::size_t>(channels)];
    for (std::size_t at = length; at < result.values.size(); at += length)
      std::copy_n(result.values.begin(), length, result.values.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const int begin = std::max(0, step.left);
  const int end = std::min(from.width, step.left + step.size.width);
  if (begin >= end) return result;
  for (int y = std::max(0, step.top); y < std::min(from.height, step.top + step.size.height); ++y) {
    const T* row = values + (static_cast<std::size_t>(y) * from.width + begin) * channels;
    const std::size_t at =
        static_cast<std::size_t>(y - step.top) * step.size.width + static_cast<std::size_t>(begin - step.left);
    std::copy_n(row, static_cast<std::size_t>(end - begin) * channels, result.values.data() + at * channels);
  }
  return result;
}

/// The pixels on their way through the steps: first the picture's own, then ours; floats once TensorFlow resized them.
class Canvas {
 public:
  Canvas(const Picture& picture, const Preprocessing& preprocessing) : view_(picture) {
    if (preprocessing.color == ColorOrder::grey) keep(grey_pixels(picture, preprocessing.backend));
  }
  void apply(const PlannedStep& step) {
    if (step.is_resize && floats_) keep(rounded(*floats_));  // resizing takes bytes
    if (step.is_resize && step.method.backend == Backend::tf) {
      floats_ = resized_to_floats(view_, step.size, step.method);
    } else if (step.is_resize) {
      keep(resized(view_, step.size, step.method));
    } else if (floats_) {
      floats_ = window_on(floats_->values.data(), {floats_->width, floats_->height}, floats_->channels, step);
    } else {
      keep(window_on(view_.values.data(), {view_.width, view_.height}, view_.channels, step));
    }
  }
  [[nodiscard]] const std::optional<Floats>& floats() const { return floats_; }
  [[nodiscard]] const PixelView& bytes() const { return view_; }

 private:
  void keep(Bytes bytes) {
    bytes_ = std::move(bytes);
    view_ = PixelView(bytes_);
    floats_.reset();
  }
  PixelView view_;
  Bytes bytes_;
  std::optional<Floats> floats_;
};

/// (value * scale - mean) / std as PyTorch and NumPy compute it: floats, rounded after each operation. A value times
/// 1/255 in doubles is, rounded, what it is over 255.
class Normalizer {
 public:
  Normalizer(const Preprocessing& preprocessing, std::size_t channel) : scale_(preprocessing.scale) {
    const auto number = [&](const std::vector<double>& numbers, double otherwise) {
      return static_cast<float>(numbers.empty() ? otherwise : numbers[numbers.size() == 1 ? 0 : channel]);
    };
    mean_ = number(preprocessing.mean, 0);
    std_ = number(preprocessing.std, 1);
  }
  float operator()(double value) const { return (static_cast<float>(value * scale_) - mean_) / std_; }

 private:
  double scale_;
  float mean_ = 0;
  float std_ = 1;
};

/// Tells where the elements of a channel lie in the tensor, and where in the pixels.
struct ChannelPlace {
  std::size_t from = 0;   ///< the first in the pixels
  std::size_t first = 0;  ///< the first in the tensor
  std::size_t step = 1;   ///< from one to the next in the tensor
};

ChannelPlace place_of(std::size_t channel, std::size_t channels, std::size_t count,
                      const Preprocessing& preprocessing) {
  const bool is_turned = preprocessing.color == ColorOrder::bgr;
  const std::size_t from = is_turned ? channels - 1 - channel : channel;
  if (preprocessing.layout == PixelLayout::nhwc) return {from, channel, channels};
  return {from, channel * count, 1};
}

template <class Word>
void look_up(const std::uint8_t* pixels, std::size_t count, std::size_t channels, const ChannelPlace& place,
             const std::byte* table, std::byte* elements) {
  std::array<Word, 256> words;
  std::memcpy(words.data(), table, sizeof(words));
  auto* to = reinterpret_cast<Word*>(elements) + place.first;
  const std::uint8_t* from = pixels + place.from;
  for (std::size_t i = 0; i < count; ++i) to[i * place.step] = words[from[i * channels]];
}

/// Each of the 256 values of a channel is converted once.
Result<std::vector<std::byte>> elements_of_bytes(const PixelView& pixels, const Preprocessing& preprocessing) {
  const auto channels = static_cast<std::size_t>(pixels.channels);
  const std::size_t count = pixels.values.size() / channels;
  const std::size_t size = bits_of(*preprocessing.dtype) / 8;
  std::vector<std::byte> elements(pixels.values.size() * size);
  for (std::size_t channel = 0; channel < channels; ++channel) {
    std::vector<float> values(256);
    const Normalizer normalize(preprocessing, channel);
    for (std::size_t value = 0; value < values.size(); ++value) values[value] = normalize(static_cast<double>(value));
    const auto table = cast(Tensor::of<float>({256}, values), *preprocessing.dtype);
    if (!table) return tl::unexpected(table.error());
    const auto look = size == 1   ? look_up<std::uint8_t>
                      : size == 2 ? look_up<std::uint16_t>
                      : size == 4 ? look_up<std::uint32_t>
                                  : look_up<std::uint64_t>;
    look(pixels.values.data(), count, channels, place_of(channel, channels, count, preprocessing),
         table->bytes().data(), elements.data());
  }
  return elements;
}

Result<std::vector<std::byte>> elements_of_floats(const Floats& pixels, const Preprocessing& preprocessing) {
  const auto channels = static_cast<std::size_t>(pixels.channels);
  const std::size_t count = pixels.values.size() / channels;
  std::vector<float> values(pixels.values.size());
  for (std::size_t channel = 0; channel < channels; ++channel) {
    const ChannelPlace place = place_of(channel, channels, count, preprocessing);
    const Normalizer normalize(preprocessing, channel);
    for (std::size_t i = 0; i < count; ++i)
      values[place.first + i * place.step] = normalize(pixels.values[place.from + i * channels]);
  }
  const auto made = cast(Tensor::of<float>({static_cast<std::int64_t>(values.size())}, values), *preprocessing.dtype);
  if (!made) return tl::unexpected(made.error());
  return std::vector<std::byte>(made->bytes().begin(), made->bytes().end());
}

Shape shape_for_net(PictureSize size, const Preprocessing& preprocessing) {
  const std::int64_t channels = preprocessing.color == ColorOrder::grey ? 1 : 3;
  if (preprocessing.rank == 2) return {size.height, size.width};
  Shape shape = preprocessing.layout == PixelLayout::nhwc ? Shape{size.height, size.width, channels}
                                                          : Shape{channels, size.height, size.width};
  if (preprocessing.rank == 4) shape.insert(shape.begin(), 1);
  return shape;
}

}  // namespace

Result<Placement> placement_of(PictureSize picture, const Preprocessing& preprocessing) {
  const auto plan = plan_steps(picture, preprocessing);
  if (!plan) return tl::unexpected(plan.error());
  return plan->placement;
}

Result<PictureSize> size_for_net(PictureSize picture, const Preprocessing& preprocessing) {
  const auto plan = plan_steps(picture, preprocessing);
  if (!plan) return tl::unexpected(plan.error());
  return plan->size;
}

Result<Tensor> preprocess(const Picture& picture, const Preprocessing& preprocessing) {
  if (!preprocessing.dtype || !preprocessing.layout || !preprocessing.color)
    return fail(ErrorKind::internal, "a preprocessing is used that was not fitted to an input");
  const auto plan = plan_steps(picture.size(), preprocessing);
  if (!plan) return tl::unexpected(plan.error());
  try {
    Canvas canvas(picture, preprocessing);
    for (const PlannedStep& step : plan->steps) canvas.apply(step);
    auto elements = canvas.floats() ? elements_of_floats(*canvas.floats(), preprocessing)
                                    : elements_of_bytes(canvas.bytes(), preprocessing);
    if (!elements) return tl::unexpected(elements.error());
    return Tensor::from_bytes(*preprocessing.dtype, shape_for_net(plan->size, preprocessing), std::move(*elements));
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "there is no memory for the image");
  }
}

Result<Picture> seen_by_net(const Picture& picture, const Preprocessing& preprocessing) {
  const auto plan = plan_steps(picture.size(), preprocessing);
  if (!plan) return tl::unexpected(plan.error());
  try {
    Canvas canvas(picture, preprocessing);
    for (const PlannedStep& step : plan->steps) canvas.apply(step);
    const Bytes bytes = canvas.floats() ? rounded(*canvas.floats()) : Bytes{};
    const PixelView pixels = canvas.floats() ? PixelView(bytes) : canvas.bytes();
    Picture seen(pixels.width, pixels.height);
    const bool is_grey = pixels.channels == 1;
    for (std::size_t i = 0; i < seen.rgb.size(); ++i) seen.rgb[i] = pixels.values[is_grey ? i / 3 : i];
    return seen;
  } catch (const std::bad_alloc&) {
    return fail(ErrorKind::io, "there is no memory for the image");
  }
}

}  // namespace culprit
