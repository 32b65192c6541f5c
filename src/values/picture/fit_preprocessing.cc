// picture/preprocessing.h: fitted, and the words of its enums

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/word_names.h"
#include "picture/preprocessing.h"

namespace culprit {
namespace {

/// Tells where height, width and channels stand in a shape; -1 for channels that are not there.
struct InputAxes {
  PixelLayout layout = PixelLayout::nchw;
  int height = 0;
  int width = 0;
  int channels = -1;
};

bool can_be_channels(std::int64_t size) { return size == 1 || size == 3; }

Result<InputAxes> axes_of(const Shape& shape, std::optional<PixelLayout> wanted) {
  const int rank = static_cast<int>(shape.size());
  if (rank == 2) return InputAxes{wanted.value_or(PixelLayout::nchw), 0, 1, -1};
  if (rank != 3 && rank != 4) {
    return fail(ErrorKind::usage, fmt::format("an input of shape {} is none of images: those have 2, 3 or 4 dimensions",
                                              to_string(shape)));
  }
  const int first = rank - 3;  // after the batch
  const auto found = wanted ? wanted : layout_of(shape);
  if (!found) {
    return fail(ErrorKind::usage,
                "no dimension of the input's shape " + to_string(shape) + " is 1 or 3, as channels of images are",
                "say where they are with `layout: nchw` or `layout: nhwc`");
  }
  const PixelLayout layout = *found;
  const std::int64_t channels = layout == PixelLayout::nchw ? shape[static_cast<std::size_t>(first)] : shape.back();
  if (channels > 0 && !can_be_channels(channels)) {
    return fail(ErrorKind::usage,
                fmt::format("with the layout {}, an input of shape {} has {} channels; images have 1 or 3",
                            name_of(layout), to_string(shape), channels));
  }
  if (layout == PixelLayout::nchw) return InputAxes{layout, first + 1, first + 2, first};
  return InputAxes{layout, first, first + 1, first + 2};
}

Result<void> fit_color(Preprocessing& fit, std::int64_t channels) {
  if (!fit.color) fit.color = channels == 1 ? ColorOrder::grey : ColorOrder::rgb;
  const std::int64_t has = *fit.color == ColorOrder::grey ? 1 : 3;
  if (channels > 0 && channels != has)
    return fail(ErrorKind::usage,
                fmt::format("color: {} gives {} channels, and the net takes {}", name_of(*fit.color), has, channels));
  for (const auto* numbers : {&fit.mean, &fit.std}) {
    if (numbers->size() > 1 && static_cast<std::int64_t>(numbers->size()) != has)
      return fail(ErrorKind::usage,
                  fmt::format("mean and std have {} numbers, and the net takes {} channels", numbers->size(), has));
  }
  return {};
}

/// Whole numbers hold pixels, but no fractions of them.
Result<void> check_numbers(const Preprocessing& fit) {
  for (const double value : fit.std)
    if (value == 0) return fail(ErrorKind::usage, "std must not be 0");
  const double std = fit.std.empty() ? 1 : *std::ranges::max_element(fit.std, {}, [](double v) { return std::abs(v); });
  if (is_integer(*fit.dtype) && std::abs(255 * fit.scale / std) < 32) {
    return fail(
        ErrorKind::usage,
        fmt::format("the net takes {}, and after scale, mean and std nearly all pixels are the same whole number",
                    name_of(*fit.dtype)),
        "leave them out for raw bytes (the preset `raw`), or give those of the net's quantization");
  }
  return {};
}

Result<void> fit_side(SideLength& side, std::int64_t net, std::string_view what) {
  if (side.pixels > 0) return {};
  if (net <= 0) {
    return fail(ErrorKind::usage,
                fmt::format("the net's input has no fixed {}, so the preprocessing must give a size", what),
                "for example `resize: [480, 640]` (height, width) or `letterbox: 640`");
  }
  side.pixels = std::max(1, static_cast<int>(std::floor(static_cast<double>(net) / side.share + 1e-9)));
  return {};
}

Result<void> fit_step(PictureStep& step, const Preprocessing& fit) {
  if (auto known = check_method({fit.backend, step.filter, step.antialias}); !known) return known;
  if (step.kind == PictureStepKind::pad && step.multiple > 1 && (fit.net_height <= 0 || fit.net_width <= 0)) return {};
  if (step.kind == PictureStepKind::resize && step.to != ResizeTo::size) {
    const int shorter = std::min(fit.net_height, fit.net_width);
    const int net = step.to == ResizeTo::shorter || shorter <= 0 ? shorter : std::max(fit.net_height, fit.net_width);
    if (auto side = fit_side(step.height, net, "height and width"); !side) return side;
    step.width = step.height;
    return {};
  }
  if (auto side = fit_side(step.height, fit.net_height, "height"); !side) return side;
  return fit_side(step.width, fit.net_width, "width");
}

constexpr WordNames<ColorOrder, 3> color_names{
    {{ColorOrder::rgb, "rgb"}, {ColorOrder::bgr, "bgr"}, {ColorOrder::grey, "grey"}}};
constexpr WordNames<PixelLayout, 2> layout_names{{{PixelLayout::nchw, "nchw"}, {PixelLayout::nhwc, "nhwc"}}};

int fixed_side(const Shape& shape, int axis) {
  const std::int64_t length = shape[static_cast<std::size_t>(axis)];
  return length > 0 && length <= 100'000'000 ? static_cast<int>(length) : 0;
}

}  // namespace

std::string_view name_of(ColorOrder color) { return name_in(color_names, color); }
std::string_view name_of(PixelLayout layout) { return name_in(layout_names, layout); }

std::optional<PixelLayout> layout_of(const Shape& shape) {
  if (shape.size() != 3 && shape.size() != 4) return std::nullopt;
  const std::int64_t first = shape[shape.size() - 3];
  const std::int64_t last = shape.back();
  for (const std::int64_t channels : {3, 1}) {
    if (first == channels) return PixelLayout::nchw;
    if (last == channels) return PixelLayout::nhwc;
  }
  return std::nullopt;
}

Result<Preprocessing> fitted(Preprocessing preprocessing, const PictureInput& input) {
  const auto axes = axes_of(input.shape, preprocessing.layout);
  if (!axes) return tl::unexpected(axes.error());
  Preprocessing& fit = preprocessing;
  fit.layout = axes->layout;
  fit.rank = static_cast<int>(input.shape.size());
  fit.net_height = fixed_side(input.shape, axes->height);
  fit.net_width = fixed_side(input.shape, axes->width);
  const std::int64_t channels = axes->channels < 0 ? 1 : input.shape[static_cast<std::size_t>(axes->channels)];
  if (auto color = fit_color(fit, channels); !color) return tl::unexpected(color.error());
  if (fit.dtype && *fit.dtype != input.type) {
    return fail(ErrorKind::usage,
                fmt::format("dtype: {}, and the net takes {}", name_of(*fit.dtype), name_of(input.type)));
  }
  fit.dtype = input.type;
  if (!(is_float(input.type) || is_integer(input.type)) || bits_of(input.type) < 8)
    return fail(ErrorKind::unsupported, fmt::format("images cannot be made {}", name_of(input.type)));
  if (auto numbers = check_numbers(fit); !numbers) return tl::unexpected(numbers.error());
  if (fit.steps.empty() && fit.net_height > 0 && fit.net_width > 0) fit.steps.emplace_back();
  for (PictureStep& step : fit.steps)
    if (auto fits = fit_step(step, fit); !fits) return tl::unexpected(fits.error());
  return fit;
}

}  // namespace culprit
