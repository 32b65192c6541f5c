#include <algorithm>

#include "base/as_index.h"
#include "conversion/map/changed_slices.h"
#include "conversion/map/match_values.h"
#include "conversion/map/sample_numbers.h"

namespace culprit {
namespace {

constexpr double times_nearer = 4, least_apart = 1e-7;
/// A few elements may be that many times further apart than all are.
constexpr double times_sampled = 10;

Shape behind_first(const Shape& shape) { return {shape.begin() + 1, shape.end()}; }

/// Does the first axis of both count the same, in most networks samples?
bool begins_alike(const Shape& source, const Shape& target) {
  return !source.empty() && !target.empty() && source[0] == target[0];
}

void add_order(std::vector<ValueOrder>& orders, AxisOrder axes) {
  ValueOrder order{std::move(axes)};
  if (std::ranges::find(orders, order) == orders.end()) orders.push_back(std::move(order));
}

/// The orders that leave a first axis where it is come first.
std::vector<ValueOrder> orders_of_axes(const Shape& source, const Shape& target) {
  std::vector<ValueOrder> orders;
  if (begins_alike(source, target))
    for (AxisOrder behind : axis_orders(behind_first(source), behind_first(target))) {
      for (int& axis : behind.axes) ++axis;
      behind.axes.insert(behind.axes.begin(), 0);
      add_order(orders, std::move(behind));
    }
  if (orders.empty() || source[0] != 1)
    for (AxisOrder& order : axis_orders(source, target)) add_order(orders, std::move(order));
  return orders;
}

std::optional<NearestValueOrder> nearest_of(const SamplePairs& pairs, const std::vector<ValueOrder>& orders,
                                            double most) {
  std::optional<NearestValueOrder> best;
  for (const ValueOrder& order : orders) {
    const auto some = pairs.sampled_distance(order);
    if (!some || *some > times_sampled * most) continue;
    const auto all = pairs.apart(order);
    if (!all || all->distance > most || (pairs.is_exact() && !pairs.agrees(order))) continue;
    if (!best || is_nearer(*all, best->apart)) best = NearestValueOrder{order, *all};
    if (best->apart.distance == 0) break;
  }
  return best;
}

/// The axes along which channels may have changed places: the second, the last, then those between.
std::vector<std::size_t> axes_of_channels(const Shape& shape) {
  std::vector<std::size_t> axes;
  if (shape.size() > 1) axes.push_back(1);
  if (shape.size() > 2) axes.push_back(shape.size() - 1);
  for (std::size_t axis = 2; axis + 1 < shape.size(); ++axis) axes.push_back(axis);
  return axes;
}

std::optional<NearestValueOrder> with_changed_slices(const SamplePairs& pairs, const std::vector<ValueOrder>& orders,
                                                     double most) {
  if (pairs.is_exact() || !pairs.has_same_numbers(most)) return std::nullopt;
  std::vector<Shape> shapes;
  shapes.reserve(pairs.count());
  for (std::size_t i = 0; i < pairs.count(); ++i) shapes.push_back(pairs.target_shape(i));
  const std::vector<float> target = pairs.target_numbers();
  for (ValueOrder order : orders) {
    const auto laid = pairs.source_in(order);
    if (!laid) continue;
    for (const std::size_t axis : axes_of_channels(shapes[0])) {
      auto slices = changed_slices({*laid, target, shapes}, axis, most);
      if (!slices) continue;
      order.channels = std::move(*slices);
      order.channel_axis = static_cast<int>(axis);
      if (const auto apart = pairs.apart(order)) return NearestValueOrder{order, *apart};
    }
  }
  return std::nullopt;
}

}  // namespace

bool is_nearer(const NumbersApart& one, const NumbersApart& other) {
  return one.distance * times_nearer + least_apart < other.distance;
}

std::optional<NearestValueOrder> nearest_value_order(std::span<const Tensor> source, std::span<const Tensor> target,
                                                     bool may_move, double most, const std::vector<ValueOrder>& first) {
  const auto pairs = SamplePairs::of(source, target);
  if (!pairs) return std::nullopt;
  if (!may_move) return nearest_of(*pairs, {ValueOrder{}}, most);
  const auto of_axes = orders_of_axes(pairs->source_shape(pairs->richest()), pairs->target_shape(pairs->richest()));
  std::vector<ValueOrder> orders = first;
  orders.insert(orders.end(), of_axes.begin(), of_axes.end());
  if (auto found = nearest_of(*pairs, orders, most)) return found;
  return with_changed_slices(*pairs, of_axes, most);
}

}  // namespace culprit
