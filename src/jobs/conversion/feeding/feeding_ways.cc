#include "conversion/feeding/feeding_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/as_index.h"
#include "base/text.h"
#include "conversion/feeding/picture_axes.h"
#include "conversion/feeding/pixel_scale.h"

namespace culprit {
namespace {

using Inputs = std::vector<Tensor>;
using Axes = std::optional<PictureAxes>;
/// Of one tensor; nullopt: it does not apply.
using Change = std::function<std::optional<Tensor>(const Tensor&)>;

std::optional<Tensor> as_optional(Result<Tensor> tensor) {
  if (!tensor) return std::nullopt;
  return std::move(*tensor);
}

std::optional<Tensor> with_channels_reversed(const Tensor& tensor, std::size_t axis) {
  if (axis >= tensor.shape().size()) return std::nullopt;
  ValueOrder order;
  order.channel_axis = static_cast<int>(axis);
  for (std::int64_t channel = tensor.shape()[axis]; channel > 0; --channel) order.channels.push_back(channel - 1);
  return as_optional(laid_out(tensor, order, tensor.shape()));
}

std::optional<Tensor> with_axes_exchanged(const Tensor& tensor, std::size_t one, std::size_t other) {
  if (one >= tensor.shape().size() || other >= tensor.shape().size()) return std::nullopt;
  if (tensor.shape()[one] != tensor.shape()[other]) return std::nullopt;
  ValueOrder order;
  order.axes.axes.resize(tensor.shape().size());
  std::iota(order.axes.axes.begin(), order.axes.axes.end(), 0);
  std::swap(order.axes.axes[one], order.axes.axes[other]);
  return as_optional(laid_out(tensor, order, tensor.shape()));
}

/// What is bound in `order` shall be the numbers as they lie, under the target's shape.
std::optional<Tensor> reshaped(const Tensor& tensor, const ValueOrder& order) {
  const Shape shape = laid_out_shape(tensor.shape(), order);
  auto flat = Tensor::from_bytes(tensor.dtype(), shape, {tensor.bytes().begin(), tensor.bytes().end()});
  if (!flat) return std::nullopt;
  return as_optional(brought_back(*flat, order, tensor.shape()));
}

std::optional<Tensor> scaled(const Tensor& tensor, const PixelScale& from, const PixelScale& to, const Axes& axes) {
  if (from.is_one_for_all() && to.is_one_for_all()) return rescaled(tensor, from, to, 1, 1);
  if (!axes || axes->channels != 3 || axes->channel >= tensor.shape().size()) return std::nullopt;
  const auto behind = tensor.shape().begin() + static_cast<std::ptrdiff_t>(axes->channel) + 1;
  const std::int64_t inner = std::accumulate(behind, tensor.shape().end(), std::int64_t{1}, std::multiplies<>());
  return rescaled(tensor, from, to, inner, 3);
}

class WayMaker {
 public:
  WayMaker(const Network& source, const std::vector<ValueMatch>& binding, std::span<const Tensor> sample)
      : source_(source), binding_(binding), sample_(sample) {
    const bool prefers_last = source.format != "onnx";
    for (const Tensor& tensor : sample) axes_.push_back(picture_axes(tensor.shape(), prefers_last));
  }

  std::vector<FeedingWay> made() && {
    add_exchanged_inputs();
    add_turned_pictures();
    add_scales();
    return std::move(ways_);
  }

 private:
  /// One input changes, the others stay.
  void add(const std::string& name, std::size_t input, Change change, std::optional<PixelFeeding> pixels = {}) {
    if (sample_.size() != 1) pixels.reset();
    ways_.push_back({sample_.size() == 1 ? name : name + " of " + input_name(input), input,
                     [input, change = std::move(change)](std::span<const Tensor> inputs) -> std::optional<Inputs> {
                       Inputs fed(inputs.begin(), inputs.end());
                       auto made = input < fed.size() ? change(fed[input]) : std::nullopt;
                       if (!made) return std::nullopt;
                       fed[input] = std::move(*made);
                       return fed;
                     },
                     std::move(pixels)});
  }

  [[nodiscard]] std::string input_name(std::size_t input) const {
    const int value = input < source_.inputs.size() ? source_.inputs[input] : -1;
    return value < 0 ? "?" : "'" + printable(source_.values[as_index(value)].name, 60) + "'";
  }

  void add_exchanged_inputs() {
    for (std::size_t one = 0; one < sample_.size(); ++one)
      for (std::size_t other = one + 1; other < sample_.size(); ++other) {
        if (sample_[one].dtype() != sample_[other].dtype() || sample_[one].shape() != sample_[other].shape()) continue;
        ways_.push_back({input_name(one) + " and " + input_name(other) + " exchanged", one,
                         [one, other](std::span<const Tensor> inputs) -> std::optional<Inputs> {
                           Inputs fed(inputs.begin(), inputs.end());
                           if (other >= fed.size() || fed[one].shape() != fed[other].shape()) return std::nullopt;
                           std::swap(fed[one], fed[other]);
                           return fed;
                         }});
      }
  }

  void add_turned_pictures() {
    for (std::size_t input = 0; input < sample_.size(); ++input) {
      if (const auto axes = axes_[input]) {
        const auto reversed = [axes](const Tensor& tensor) { return with_channels_reversed(tensor, axes->channel); };
        const auto exchanged = [axes](const Tensor& tensor) {
          return with_axes_exchanged(tensor, axes->height, axes->width);
        };
        if (axes->channels > 1) add("channels reversed", input, reversed, PixelFeeding{.is_reversed = true});
        add("height and width exchanged", input, exchanged);
      }
      const int value = input < source_.inputs.size() ? source_.inputs[input] : -1;
      const auto match = std::ranges::find(binding_, value, &ValueMatch::source);
      if (match == binding_.end() || match->order.moves_nothing()) continue;
      add("reshaped, not transposed", input,
          [order = match->order](const Tensor& tensor) { return reshaped(tensor, order); });
    }
  }

  void add_scales() {
    for (std::size_t input = 0; input < sample_.size(); ++input) {
      if (!is_float(sample_[input].dtype()) || sample_[input].shape().size() < 2) continue;
      for (const PixelScale& from : pixel_scales)
        for (const PixelScale& to : pixel_scales)
          if (&from != &to) add_scale(input, from, to);
    }
  }

  void add_scale(std::size_t input, const PixelScale& from, const PixelScale& to) {
    const auto axes = axes_[input];
    const bool is_colour = axes && axes->channels == 3;
    if (!is_colour && !(from.is_one_for_all() && to.is_one_for_all())) return;
    const std::string name = fmt::format("{} in place of {}", to.name, from.name);
    const auto change = [from, to, axes](const Tensor& tensor) { return scaled(tensor, from, to, axes); };
    add(name, input, change, pixels_in(to, false));
    if (!is_colour) return;
    add(
        "channels reversed, " + name, input,
        [change, axes](const Tensor& tensor) -> std::optional<Tensor> {
          const auto made = change(tensor);
          return made ? with_channels_reversed(*made, axes->channel) : std::nullopt;
        },
        pixels_in(to, true));
  }

  static PixelFeeding pixels_in(const PixelScale& scale, bool is_reversed) {
    PixelFeeding made{is_reversed, true, scale.scale, {scale.mean[0]}, {scale.std[0]}};
    if (scale.is_one_for_all()) return made;
    made.mean.assign(scale.mean.begin(), scale.mean.end());
    made.std.assign(scale.std.begin(), scale.std.end());
    if (is_reversed) std::ranges::reverse(made.mean);
    if (is_reversed) std::ranges::reverse(made.std);
    return made;
  }

  const Network& source_;
  const std::vector<ValueMatch>& binding_;
  std::span<const Tensor> sample_;
  std::vector<std::optional<PictureAxes>> axes_;  // of each input
  std::vector<FeedingWay> ways_;
};

}  // namespace

std::vector<FeedingWay> feeding_ways(const Network& source, const std::vector<ValueMatch>& binding,
                                     std::span<const Tensor> sample) {
  return WayMaker(source, binding, sample).made();
}

}  // namespace culprit
