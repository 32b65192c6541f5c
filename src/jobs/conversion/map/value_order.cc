#include "conversion/map/value_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <numeric>

#include "base/as_index.h"
#include "conversion/map/element_places.h"
#include "tensor/transposed.h"

namespace culprit {
namespace {

std::int64_t count_if_known(const Shape& shape) { return element_count(shape).value_or(-1); }

std::int64_t elements_behind(const Shape& shape, std::size_t axis) {
  return std::accumulate(shape.begin() + static_cast<std::ptrdiff_t>(axis) + 1, shape.end(), std::int64_t{1},
                         std::multiplies<>());
}

/// Is each number from 0 to their count there once?
bool is_permutation_of_slices(const std::vector<std::int64_t>& channels) {
  std::vector<bool> named(channels.size());
  for (const std::int64_t channel : channels) {
    if (channel < 0 || channel >= std::ssize(channels) || named[static_cast<std::size_t>(channel)]) return false;
    named[static_cast<std::size_t>(channel)] = true;
  }
  return true;
}

bool fits(const ValueOrder& order, const Shape& source, const Shape& target) {
  if (count_if_known(source) < 0 || count_if_known(source) != count_if_known(target)) return false;
  if (!order.axes.axes.empty() && !are_axes_of(order.axes.axes, order.axes.of_target ? target : source)) return false;
  if (order.channels.empty()) return true;
  return order.channel_axis >= 0 && as_index(order.channel_axis) < target.size() &&
         target[as_index(order.channel_axis)] == std::ssize(order.channels) && is_permutation_of_slices(order.channels);
}

/// Gives the same elements another shape, without a copy.
Result<Tensor> in_shape(const Tensor& tensor, const Shape& shape) {
  if (tensor.shape() == shape) return tensor;
  return Tensor::view(tensor.dtype(), shape, tensor.bytes(), std::make_shared<Tensor>(tensor));
}

template <std::size_t Width>
void move_elements(const ElementPlaces& places, const std::byte* from, std::byte* to, bool is_back) {
  std::int64_t at = 0;
  places.for_each([&](std::int64_t place) {
    const std::int64_t read = is_back ? at : place, written = is_back ? place : at;
    std::memcpy(to + static_cast<std::size_t>(written) * Width, from + static_cast<std::size_t>(read) * Width, Width);
    ++at;
  });
}

Result<Tensor> moved_elements(const Tensor& tensor, const ElementPlaces& places, const Shape& shape, bool is_back) {
  std::vector<std::byte> bytes(tensor.bytes().size());
  const std::byte* from = tensor.bytes().data();
  switch (bits_of(tensor.dtype())) {
    case 8:
      move_elements<1>(places, from, bytes.data(), is_back);
      break;
    case 16:
      move_elements<2>(places, from, bytes.data(), is_back);
      break;
    case 32:
      move_elements<4>(places, from, bytes.data(), is_back);
      break;
    case 64:
      move_elements<8>(places, from, bytes.data(), is_back);
      break;
    case 128:
      move_elements<16>(places, from, bytes.data(), is_back);
      break;
    default:
      return fail(ErrorKind::unsupported, fmt::format("elements of {} cannot be moved", name_of(tensor.dtype())));
  }
  return Tensor::from_bytes(tensor.dtype(), shape, std::move(bytes));
}

}  // namespace

Result<ElementPlaces> ElementPlaces::of(const ValueOrder& order, const Shape& source, const Shape& target) {
  if (!fits(order, source, target))
    return fail(ErrorKind::internal, fmt::format("an order of {} axes does not lead from {} to {}",
                                                 order.axes.axes.size(), to_string(source), to_string(target)));
  ElementPlaces made;
  made.count_ = count_if_known(source);
  std::vector<Step> steps;
  steps.reserve(order.axes.axes.size());
  if (order.axes.axes.empty()) {
    steps.push_back({made.count_, 1});
  } else if (!order.axes.of_target) {
    for (const int axis : order.axes.axes)
      steps.push_back({source[as_index(axis)], elements_behind(source, as_index(axis))});
  } else {  // the source is the target with its axes in that order
    std::vector<Step> by_axis(target.size());
    std::int64_t stride = 1;
    for (std::size_t i = order.axes.axes.size(); i-- > 0;) {
      const std::size_t axis = as_index(order.axes.axes[i]);
      by_axis[axis] = {target[axis], stride};
      stride *= target[axis];
    }
    steps = std::move(by_axis);
  }
  for (const Step& step : steps) {
    if (step.size == 1) continue;
    if (!made.steps_.empty() && made.steps_.back().stride == step.size * step.stride) {
      made.steps_.back().size *= step.size;
      made.steps_.back().stride = step.stride;
    } else {
      made.steps_.push_back(step);
    }
  }
  if (made.steps_.empty()) made.steps_.push_back({made.count_, 0});
  if (!order.channels.empty()) {
    made.channels_ = order.channels;
    made.inner_ = elements_behind(target, as_index(order.channel_axis));
  }
  return made;
}

std::int64_t ElementPlaces::in_source(std::int64_t at) const {
  if (!channels_.empty()) {
    const std::int64_t channel = at / inner_ % std::ssize(channels_);
    at += (channels_[static_cast<std::size_t>(channel)] - channel) * inner_;
  }
  std::int64_t place = 0;
  for (std::size_t axis = steps_.size(); axis-- > 0;) {
    place += at % steps_[axis].size * steps_[axis].stride;
    at /= steps_[axis].size;
  }
  return place;
}

bool ValueOrder::moves_nothing() const { return channels.empty() && axes.keeps_order(); }

Result<Tensor> laid_out(const Tensor& source, const ValueOrder& order, const Shape& target) {
  const auto places = ElementPlaces::of(order, source.shape(), target);
  if (!places) return tl::unexpected(places.error());
  return order.moves_nothing() ? in_shape(source, target) : moved_elements(source, *places, target, false);
}

Result<Tensor> brought_back(const Tensor& target, const ValueOrder& order, const Shape& source) {
  const auto places = ElementPlaces::of(order, source, target.shape());
  if (!places) return tl::unexpected(places.error());
  return order.moves_nothing() ? in_shape(target, source) : moved_elements(target, *places, source, true);
}

Shape laid_out_shape(const Shape& source, const ValueOrder& order) {
  if (order.axes.of_target || order.axes.axes.size() != source.size()) return source;
  Shape shape;
  shape.reserve(source.size());
  for (const int axis : order.axes.axes) {
    if (axis < 0 || as_index(axis) >= source.size()) return source;
    shape.push_back(source[as_index(axis)]);
  }
  return shape;
}

std::string to_string(const ValueOrder& order, const Shape& source, const Shape& target) {
  std::string axes = to_string(order.axes, source, target);
  if (order.channels.empty()) return axes;
  return order.axes.keeps_order() ? "channels in another order" : axes + ", channels in another order";
}

}  // namespace culprit
