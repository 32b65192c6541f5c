#include "conversion/axis_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <random>

#include "base/text.h"

namespace culprit {
namespace {

constexpr std::size_t most_axes = 6, sampled = 512;

std::vector<int> axes_that_count(const Shape& shape) {
  std::vector<int> axes;
  for (std::size_t i = 0; i < shape.size(); ++i)
    if (shape[i] != 1) axes.push_back(static_cast<int>(i));
  return axes;
}

std::int64_t elements(const Shape& shape) { return element_count(shape).value_or(-1); }

Shape in_order(const Shape& shape, const std::vector<int>& axes) {
  Shape dims;
  dims.reserve(axes.size());
  for (const int axis : axes) dims.push_back(shape[static_cast<std::size_t>(axis)]);
  return dims;
}

Shape without_ones(const Shape& shape) { return in_order(shape, axes_that_count(shape)); }

/// For each element of a tensor with its axes in a new order, where it stood before.
std::vector<std::int64_t> places_before(const Shape& shape, const std::vector<int>& axes) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  const Shape dims = in_order(shape, axes);
  std::vector<std::int64_t> found{0};
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::int64_t stride = strides[static_cast<std::size_t>(axes[axis])];
    std::vector<std::int64_t> longer;
    longer.reserve(found.size() * static_cast<std::size_t>(dims[axis]));
    for (const std::int64_t place : found)
      for (std::int64_t i = 0; i < dims[axis]; ++i) longer.push_back(place + i * stride);
    found = std::move(longer);
  }
  return found;
}

std::vector<std::int64_t> inverse(const std::vector<std::int64_t>& places) {
  std::vector<std::int64_t> turned(places.size());
  for (std::size_t i = 0; i < places.size(); ++i)
    turned[static_cast<std::size_t>(places[i])] = static_cast<std::int64_t>(i);
  return turned;
}

/// Tells where the element `at` of the tensor in its new order stood, without a list of all.
std::int64_t place_before(const Shape& shape, const std::vector<int>& axes, std::int64_t at) {
  std::int64_t place = 0;
  for (std::size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<std::size_t>(axes[i]);
    std::int64_t stride = 1;
    for (std::size_t behind = axis + 1; behind < shape.size(); ++behind) stride *= shape[behind];
    place += at % shape[axis] * stride;
    at /= shape[axis];
  }
  return place;
}

/// The distance over some elements, the same for every order.
double sampled_distance(const AxisOrder& order, const Shape& source_shape, std::span<const float> source,
                        const Shape& target_shape, std::span<const float> target) {
  std::mt19937_64 random(1);
  ApartSum sum;
  for (std::size_t i = 0; i < sampled; ++i) {
    const auto at = random() % target.size();
    auto from = at, to = at;
    if (order.of_target)
      to = static_cast<std::size_t>(place_before(target_shape, order.axes, static_cast<std::int64_t>(at)));
    else
      from = static_cast<std::size_t>(place_before(source_shape, order.axes, static_cast<std::int64_t>(at)));
    sum.add(source[from], target[to]);
  }
  return sum.apart().distance;
}

double full_distance(const AxisOrder& order, const Shape& source_shape, std::span<const float> source,
                     const Shape& target_shape, std::span<const float> target) {
  if (order.keeps_order()) return distance(source, target);
  const auto& moved_shape = order.of_target ? target_shape : source_shape;
  const auto& moved = order.of_target ? target : source;
  const auto places = places_before(moved_shape, order.axes);
  std::vector<float> in_new_order(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) in_new_order[i] = moved[static_cast<std::size_t>(places[i])];
  return order.of_target ? distance(source, in_new_order) : distance(in_new_order, target);
}

}  // namespace

bool AxisOrder::keeps_order() const { return std::ranges::is_sorted(axes); }

std::vector<AxisOrder> axis_orders(const Shape& source, const Shape& target) {
  if (elements(source) < 0 || elements(source) != elements(target)) return {};
  std::vector<int> mine = axes_that_count(source), theirs = axes_that_count(target);
  if (mine.size() > most_axes || theirs.size() > most_axes) return {};
  std::vector<AxisOrder> orders;
  const std::vector<int> straight = mine, target_straight = theirs;
  do orders.push_back({mine, false});
  while (std::ranges::next_permutation(mine).found);
  // Of a target with just these axes, in whatever order, its own orders say the same again.
  Shape one = without_ones(source), other = without_ones(target);
  std::ranges::sort(one);
  std::ranges::sort(other);
  if (one == other) {
    std::erase_if(orders, [&](const AxisOrder& order) {
      return order.axes != straight && in_order(source, order.axes) != without_ones(target);
    });
    return orders;
  }
  do
    if (theirs != target_straight) orders.push_back({theirs, true});
  while (std::ranges::next_permutation(theirs).found);
  return orders;
}

std::vector<std::int64_t> places(const AxisOrder& order, const Shape& source, const Shape& target) {
  return order.of_target ? inverse(places_before(target, order.axes)) : places_before(source, order.axes);
}

Result<Tensor> laid_out(const Tensor& source, const AxisOrder& order, const Shape& target) {
  const std::size_t width = bits_of(source.dtype()) / 8;
  if (width == 0 || bits_of(source.dtype()) % 8 != 0)
    return fail(ErrorKind::unsupported, fmt::format("elements of {} cannot be moved", name_of(source.dtype())));
  if (elements(target) != source.count())
    return fail(ErrorKind::internal, fmt::format("{} elements do not make {}", source.count(), to_string(target)));
  const auto from = places(order, source.shape(), target);
  std::vector<std::byte> bytes(source.bytes().size());
  for (std::size_t i = 0; i < from.size(); ++i)
    std::memcpy(bytes.data() + i * width, source.bytes().data() + static_cast<std::size_t>(from[i]) * width, width);
  return Tensor::from_bytes(source.dtype(), target, std::move(bytes));
}

NumbersApart ApartSum::apart() const {
  NumbersApart apart{0, largest_, count_ == 0 ? 0 : size_ / static_cast<double>(count_)};
  if (difference_ > 0) apart.distance = size_ == 0 ? std::numeric_limits<double>::infinity() : difference_ / size_;
  return apart;
}

double distance(std::span<const float> source, std::span<const float> target) {
  ApartSum sum;
  for (std::size_t i = 0; i < source.size() && i < target.size(); ++i) sum.add(source[i], target[i]);
  return sum.apart().distance;
}

std::optional<FoundOrder> nearest_order(const Shape& source_shape, std::span<const float> source,
                                        const Shape& target_shape, std::span<const float> target, double enough) {
  std::optional<FoundOrder> best;
  if (source.empty()) return best;
  for (const AxisOrder& order : axis_orders(source_shape, target_shape)) {
    const double some = sampled_distance(order, source_shape, source, target_shape, target);
    if (best && some > enough && some > best->distance) continue;
    const double all = some > enough ? some : full_distance(order, source_shape, source, target_shape, target);
    if (!best || all < best->distance) best = FoundOrder{order, all};
    if (best->distance == 0) break;
  }
  return best;
}

std::string to_string(const AxisOrder& order, const Shape& source, const Shape& target) {
  if (order.keeps_order()) return "as it is";
  std::vector<std::string> axes;
  axes.reserve(order.axes.size());
  for (const int axis : order.axes) axes.push_back(std::to_string(axis));
  return fmt::format("axes {} of {}", join(axes, ", "), to_string(order.of_target ? target : source));
}

}  // namespace culprit
