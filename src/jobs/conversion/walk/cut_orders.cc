#include "conversion/walk/cut_orders.h"

#include <algorithm>

#include "conversion/map/channel_order.h"

namespace culprit {
namespace {

/// Axes of one element are not named in an order; those of another value may count. They are the batch as a rule.
AxisOrder completed(const AxisOrder& order, int rank) {
  AxisOrder whole;
  for (int axis = 0; axis < rank; ++axis)
    if (std::ranges::find(order.axes, axis) == order.axes.end()) whole.axes.push_back(axis);
  whole.axes.insert(whole.axes.end(), order.axes.begin(), order.axes.end());
  return whole;
}

/// The order in which the first computed input of a layer of the source comes.
const ValueOrder* order_of_input(const Ways& source, int layer, const ValueMatches& known) {
  for (const int input : source.network().layers[static_cast<std::size_t>(layer)].inputs) {
    if (input < 0 || source.is_constant(input)) continue;
    const auto match = known.find(input);
    return match == known.end() ? nullptr : &match->second.order;
  }
  return nullptr;
}

class OrderList {
 public:
  explicit OrderList(const CutOrderTask& task) : task_(task) {}

  void put_first(const ValueOrder& order) {
    if (fits(order) && std::ranges::find(orders_, order) == orders_.end()) orders_.insert(orders_.begin(), order);
  }

  std::vector<ValueOrder> take() {
    if (orders_.empty()) add_the_only_one();
    return std::move(orders_);
  }

 private:
  [[nodiscard]] bool has_same_count() const {
    return element_count(task_.source_shape).value_or(-1) == element_count(task_.target_shape).value_or(-2);
  }

  [[nodiscard]] bool fits(const ValueOrder& order) const {
    const Shape made = laid_out_shape(task_.source_shape, order);
    if (!order.channels.empty()) {
      const auto axis = static_cast<std::size_t>(order.channel_axis);
      if (order.channel_axis < 0 || axis >= made.size() || made[axis] != std::ssize(order.channels)) return false;
    }
    return !has_same_count() || sizes_that_count(made) == sizes_that_count(task_.target_shape);
  }

  /// Shapes may leave one order only, though nothing before it tells.
  void add_the_only_one() {
    std::vector<ValueOrder> fitting;
    for (const AxisOrder& axes : axis_orders(task_.source_shape, task_.target_shape))
      if (const ValueOrder order{axes}; !axes.of_target && fits(order)) fitting.push_back(order);
    if (fitting.size() == 1) orders_ = std::move(fitting);
  }

  const CutOrderTask& task_;
  std::vector<ValueOrder> orders_;
};

}  // namespace

Shape sizes_that_count(const Shape& shape) {
  Shape kept;
  kept.reserve(shape.size());
  for (const std::int64_t dim : shape)
    if (dim != 1) kept.push_back(dim);
  return kept;
}

std::vector<ValueOrder> cut_orders(const CutOrderTask& task) {
  OrderList orders(task);
  orders.put_first({});
  const Ways& source = task.cut.source;
  const auto& known = task.cut.map.values;
  for (const int input : source.before(task.cut.suspect)) {
    const auto match = known.find(input);
    if (match == known.end()) continue;
    const auto sketch = task.cut.sketches_source.find(input);
    if (sketch == task.cut.sketches_source.end() || sketch->second.by_sample.empty()) continue;
    const Shape& shape = sketch->second.by_sample.front().shape;
    if (shape.size() != task.source_shape.size()) continue;
    const ValueOrder& order = match->second.order;
    if (!order.axes.keeps_order() && !order.axes.of_target)
      orders.put_first({completed(order.axes, static_cast<int>(shape.size()))});
    if (!order.channels.empty()) orders.put_first(order);
  }
  const auto by_kernels = channel_orders_of(task.cut.map, known, source, task.mates, task.layers);
  for (const auto& [layer, channels] : by_kernels)
    if (task.source_shape.size() >= 2) orders.put_first({{}, channels, 1});
  return orders.take();
}

std::map<int, std::vector<std::int64_t>> channel_orders_of(const ConversionMap& map, const ValueMatches& known,
                                                           const Ways& source, const std::vector<KernelMate>& mates,
                                                           const std::set<int>& layers) {
  std::map<int, std::vector<std::int64_t>> found;
  for (const KernelMate& mate : mates) {
    const DerivedTensor& kernel = map.derived[map.parameters[mate.match].source];
    if (kernel.layers.empty() || !layers.contains(kernel.layers.front())) continue;
    const ValueOrder* input = order_of_input(source, kernel.layers.front(), known);
    const std::vector<std::int64_t> of_inputs = input == nullptr ? std::vector<std::int64_t>{} : input->channels;
    const auto& target = map.target_parameters[map.parameters[mate.match].target];
    if (auto order = channel_order(kernel, target, of_inputs)) found[kernel.layers.front()] = std::move(*order);
  }
  return found;
}

}  // namespace culprit
