#include "conversion/map/input_orders.h"

#include <algorithm>
#include <numeric>

#include "base/as_index.h"

namespace culprit {
namespace {

bool is_whole_number(DType type) { return is_integer(type) || type == DType::boolean; }

bool may_have_shape(const Shape& shape, const NetworkValue& target) {
  if (!target.has_rank) return true;
  if (shape.size() != target.dims.size()) return false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis)
    if (target.dims[axis] >= 0 && target.dims[axis] != shape[axis]) return false;
  return true;
}

/// The sizes that a target of another rank declares, one of which may be open. Empty: another count.
Shape reshaped(const Shape& sample, const NetworkValue& target) {
  if (!target.has_rank || target.dims.size() == sample.size()) return {};
  const std::int64_t count = element_count(sample).value_or(-1);
  Shape shape = target.dims;
  std::int64_t known = 1;
  for (const std::int64_t size : shape) known *= std::max<std::int64_t>(size, 1) * (size == 0 ? 0 : 1);
  // An open first axis is the batch; of two open ones the other is what is left.
  const auto open = std::ranges::count_if(shape, [](std::int64_t size) { return size < 0; });
  if (open > 0 && shape[0] < 0 && !sample.empty()) {
    shape[0] = sample[0];
    known *= sample[0];
  }
  const auto left = std::ranges::find_if(shape, [](std::int64_t size) { return size < 0; });
  if (left != shape.end() && known > 0 && count % known == 0) *left = count / known;
  return element_count(shape).value_or(-1) == count ? shape : Shape{};
}

bool fits_all(std::span<const Tensor> samples, const ValueOrder& order, const NetworkValue& target) {
  return std::ranges::all_of(samples, [&](const Tensor& sample) {
    if (order.axes.axes.size() == sample.shape().size())
      return may_have_shape(laid_out_shape(sample.shape(), order), target);
    return may_have_shape(sample.shape(), target) || !reshaped(sample.shape(), target).empty();
  });
}

/// As it is, channels last, channels first.
std::vector<ValueOrder> usual_orders(std::size_t rank) {
  std::vector<ValueOrder> orders{{}};
  if (rank < 3) return orders;
  std::vector<int> last(rank), first(rank);
  std::iota(last.begin(), last.end(), 0);
  first = last;
  std::rotate(last.begin() + 1, last.begin() + 2, last.end());
  std::rotate(first.begin() + 1, first.end() - 1, first.end());
  orders.push_back({{last}});
  if (first != last) orders.push_back({{first}});
  return orders;
}

/// All orders of the axes, those with the first one at its place before the others.
std::vector<ValueOrder> all_orders(std::size_t rank) {
  std::vector<ValueOrder> orders;
  constexpr std::size_t most_axes_of_inputs = 5;
  if (rank > most_axes_of_inputs) return orders;
  std::vector<int> axes(rank);
  std::iota(axes.begin(), axes.end(), 0);
  do orders.push_back({{axes}});
  while (std::ranges::next_permutation(axes).found);
  return orders;
}

}  // namespace

bool is_one_kind(DType one, DType other) {
  if (one == other || one == DType::undefined || other == DType::undefined) return true;
  if (is_float(one)) return is_float(other);
  return is_whole_number(one) && is_whole_number(other);
}

std::vector<ValueOrder> input_orders(std::span<const Tensor> samples, const NetworkValue& target) {
  if (samples.empty() || !is_one_kind(samples[0].dtype(), target.dtype)) return {};
  const std::size_t rank = samples[0].shape().size();
  std::vector<ValueOrder> fitting;
  const auto add_fitting = [&](const std::vector<ValueOrder>& orders) {
    for (const ValueOrder& order : orders)
      if (fits_all(samples, order, target)) fitting.push_back(order);
  };
  add_fitting(usual_orders(rank));
  if (!fitting.empty()) return fitting;
  add_fitting(all_orders(rank));
  const bool keeps_first =
      std::ranges::any_of(fitting, [](const ValueOrder& order) { return order.axes.axes[0] == 0; });
  if (keeps_first) std::erase_if(fitting, [](const ValueOrder& order) { return order.axes.axes[0] != 0; });
  return fitting;
}

Shape bound_shape(const Shape& sample, const ValueOrder& order, const NetworkValue& target) {
  if (!order.axes.axes.empty()) return laid_out_shape(sample, order);
  if (may_have_shape(sample, target)) return sample;
  const Shape shape = reshaped(sample, target);
  return shape.empty() ? sample : shape;
}

}  // namespace culprit
