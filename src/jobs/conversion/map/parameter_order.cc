#include "conversion/map/parameter_order.h"

#include <algorithm>
#include <cmath>

#include "base/random.h"
#include "conversion/map/element_places.h"

namespace culprit {
namespace {

constexpr int first_looks = 48;
constexpr double times_sampled_most = 10;                // so much further apart a few elements may be than all
constexpr double unrelated = 1.0;                        // over a few looks; random numbers of one size are 1.4 apart
constexpr double off_stored = 1e-6, off_derived = 1e-5;  // of an element, over max(|p|, rms)
constexpr double surely_off = 1e-3;                      // so far no rounding carries one
constexpr double as_near = 1.001;

/// Letters of the axes that count, and their places.
std::pair<std::string, std::vector<int>> letters_that_count(const std::string& letters, const Shape& shape) {
  std::pair<std::string, std::vector<int>> found;
  if (letters.size() != shape.size()) return found;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (shape[axis] == 1) continue;
    found.first += letters[axis];
    found.second.push_back(static_cast<int>(axis));
  }
  return found;
}

/// May this be the same tensor, in some order? Over a few elements, before anything else.
bool may_be_related(const TensorOfNumbers& source, const TensorOfNumbers& target, double most) {
  const double enough = std::min(unrelated, times_sampled_most * most);
  for (const AxisOrder& order : axis_orders(source.shape, target.shape)) {
    const auto places = ElementPlaces::of({order}, source.shape, target.shape);
    if (!places) continue;
    Random random(7);
    float one[first_looks], other[first_looks];
    for (int look = 0; look < first_looks; ++look) {
      const auto at = static_cast<std::int64_t>(random.next() % target.numbers.size());
      one[look] = source.numbers[static_cast<std::size_t>(places->in_source(at))];
      other[look] = target.numbers[static_cast<std::size_t>(at)];
    }
    if (distance(one, other) <= enough) return true;
  }
  return false;
}

std::vector<float> in_order(const TensorOfNumbers& source, const AxisOrder& order, const Shape& target) {
  std::vector<float> numbers;
  const auto places = ElementPlaces::of({order}, source.shape, target);
  if (!places) return numbers;
  numbers.reserve(source.numbers.size());
  places->for_each([&](std::int64_t place) { numbers.push_back(source.numbers[static_cast<std::size_t>(place)]); });
  return numbers;
}

/// The axes that count, so that orders can be compared.
std::vector<int> moved_axes(const AxisOrder& order, const Shape& source) {
  std::vector<int> axes;
  for (const int axis : order.axes)
    if (source[static_cast<std::size_t>(axis)] != 1) axes.push_back(axis);
  return axes;
}

bool is_same_order(const AxisOrder& found, const AxisOrder& expected, const Shape& source) {
  return !found.of_target && moved_axes(found, source) == moved_axes(expected, source);
}

}  // namespace

std::optional<AxisOrder> order_by_letters(const std::string& source, const std::string& target) {
  if (source.empty() || source.size() != target.size()) return std::nullopt;
  AxisOrder order;
  for (const char letter : target) {
    const auto axis = source.find(letter);
    if (axis == std::string::npos || source.find(letter, axis + 1) != std::string::npos) return std::nullopt;
    if (std::ranges::find(order.axes, static_cast<int>(axis)) != order.axes.end()) return std::nullopt;
    order.axes.push_back(static_cast<int>(axis));
  }
  return order;
}

std::optional<AxisOrder> expected_order(const DerivedTensor& source, const TargetParameter& target) {
  const auto [one, places] = letters_that_count(source.axes, source.tensor.shape);
  const auto [other, unused] = letters_that_count(target.axes, target.tensor.shape);
  auto order = order_by_letters(one, other);
  if (!order) return std::nullopt;
  for (int& axis : order->axes) axis = places[static_cast<std::size_t>(axis)];
  return order;
}

std::optional<FoundOrder> parameter_order(const TensorOfNumbers& source, const TensorOfNumbers& target, double most) {
  if (source.numbers.size() != target.numbers.size() || source.numbers.empty()) return std::nullopt;
  if (!may_be_related(source, target, most)) return std::nullopt;
  auto found = nearest_order(source.shape, source.numbers, target.shape, target.numbers, most);
  if (found && found->distance <= most) return found;
  return std::nullopt;
}

void describe(ParameterMatch& match, const DerivedTensor& source, const TargetParameter& target) {
  std::vector<float> right = in_order(source.tensor, match.order, target.tensor.shape);
  match.expected = match.order;
  match.is_order_expected = true;
  if (const auto expected = expected_order(source, target);
      expected && !is_same_order(match.order, *expected, source.tensor.shape)) {
    match.expected = *expected;
    auto as_expected = in_order(source.tensor, *expected, target.tensor.shape);
    const double apart = distance(as_expected, target.tensor.numbers);
    match.is_order_expected = apart <= match.distance * as_near || apart <= MatchLimits{}.same_within;
    if (match.is_order_expected) {
      match.order = *expected;
      match.distance = apart;
      right = std::move(as_expected);
    }
  }
  double squares = 0, sum = 0;
  for (const float number : right) squares += static_cast<double>(number) * static_cast<double>(number);
  const double rms = right.empty() ? 0 : std::sqrt(squares / static_cast<double>(right.size()));
  const double off = source.is_stored() ? off_stored : off_derived;
  for (std::size_t i = 0; i < right.size(); ++i) {
    const auto one = static_cast<double>(right[i]), other = static_cast<double>(target.tensor.numbers[i]);
    if (one == other || (std::isnan(one) && std::isnan(other))) continue;
    const double apart = std::abs(one - other), size = std::max(std::abs(one), rms);
    if (std::isfinite(apart)) sum += apart;
    if (!(apart <= off * size)) ++match.wrong;
    if (!(apart <= surely_off * size) && match.kind == TensorMatch::Kind::same) match.kind = TensorMatch::Kind::changed;
  }
  match.mean_difference = right.empty() ? 0 : sum / static_cast<double>(right.size());
}

}  // namespace culprit
