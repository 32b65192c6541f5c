#include "conversion/faults/element_order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/text.h"
#include "conversion/axis_order.h"

namespace culprit {
namespace {

using Places = std::vector<std::int64_t>;  ///< of each found element, where it should stand

class OrderSearch {
 public:
  OrderSearch(const Shape& shape, std::span<const float> right, std::span<const float> found, double within)
      : shape_(shape), right_(right), found_(found) {
    double size = 0;
    for (const float number : right) size += std::abs(static_cast<double>(number));
    off_ = within * size / static_cast<double>(std::max<std::size_t>(right.size(), 1));
    for (std::size_t i = 0; i < right.size(); ++i)
      if (!is_near(i, static_cast<std::int64_t>(i))) ++elsewhere_;
  }

  [[nodiscard]] std::int64_t elsewhere() const { return elsewhere_; }

  std::optional<ElementOrder> axes() const {
    for (const AxisOrder& order : axis_orders(shape_, shape_))
      if (!order.keeps_order() && fits(places(order, shape_, shape_)))
        return told(ElementOrder::Kind::axes, order.axes);
    // A transposed matrix that still has its old shape.
    std::vector<int> axes(shape_.size());
    std::iota(axes.begin(), axes.end(), 0);
    if (axes.size() > 5) return std::nullopt;
    while (std::ranges::next_permutation(axes).found) {
      Shape turned;
      turned.reserve(axes.size());
      for (const int axis : axes) turned.push_back(shape_[static_cast<std::size_t>(axis)]);
      if (fits(places({axes, false}, shape_, turned))) return told(ElementOrder::Kind::axes, axes);
    }
    return std::nullopt;
  }

  std::optional<ElementOrder> flipped() const {
    const std::size_t rank = shape_.size();
    if (rank > 5) return std::nullopt;
    for (unsigned chosen = 1; chosen < (1U << rank); ++chosen) {
      std::vector<int> axes;
      for (std::size_t axis = 0; axis < rank; ++axis)
        if ((chosen >> axis & 1U) != 0) axes.push_back(static_cast<int>(axis));
      if (std::ranges::any_of(axes, [&](int axis) { return length(axis) < 2; })) continue;
      Places from = straight();
      for (const int axis : axes) from = along(axis, from, [&](std::int64_t i) { return length(axis) - 1 - i; });
      if (fits(from)) return told(ElementOrder::Kind::flipped, axes);
    }
    return std::nullopt;
  }

  std::optional<ElementOrder> rolled() const {
    for (int axis = 0; axis < std::ssize(shape_); ++axis)
      for (const std::int64_t steps : {1, -1}) {
        const std::int64_t size = length(axis);
        if (size < 3 || !is_shifted(axis, steps)) continue;
        auto order = told(ElementOrder::Kind::rolled, {axis});
        order.steps = steps;
        return order;
      }
    return std::nullopt;
  }

  std::optional<ElementOrder> blocks() const {
    for (int axis = 0; axis < std::ssize(shape_); ++axis)
      for (const int count : {4, 3, 2}) {
        const std::int64_t size = length(axis) / count;
        if (size < 1 || length(axis) % count != 0) continue;
        std::vector<int> turned(static_cast<std::size_t>(count));
        std::iota(turned.begin(), turned.end(), 0);
        while (std::ranges::next_permutation(turned).found) {
          const auto moved = [&](std::int64_t i) {
            return turned[static_cast<std::size_t>(i / size)] * size + i % size;
          };
          if (!fits(along(axis, straight(), moved))) continue;
          auto order = told(ElementOrder::Kind::blocks, {axis});
          order.blocks = turned;
          return order;
        }
      }
    return std::nullopt;
  }

  std::optional<ElementOrder> rows(const std::vector<Shape>& pictures) const {
    for (const Shape& picture : pictures)
      for (int axis = 0; axis < std::ssize(shape_); ++axis) {
        if (picture.size() < 2 || element_count(picture).value_or(-1) != length(axis)) continue;
        std::vector<int> turned(picture.size());
        std::iota(turned.begin(), turned.end(), 0);
        while (std::ranges::next_permutation(turned).found) {
          Shape shape;
          shape.reserve(turned.size());
          for (const int one : turned) shape.push_back(picture[static_cast<std::size_t>(one)]);
          const Places from = places({turned, false}, picture, shape);
          if (!fits(along(axis, straight(), [&](std::int64_t i) { return from[static_cast<std::size_t>(i)]; })))
            continue;
          auto order = told(ElementOrder::Kind::rows, {axis});
          order.blocks = turned;
          order.picture = picture;
          return order;
        }
      }
    return std::nullopt;
  }

  std::optional<ElementOrder> groups() const {
    for (int axis = 0; axis < std::ssize(shape_); ++axis)
      for (std::int64_t count = 2; count < length(axis); ++count) {
        const std::int64_t size = length(axis) / count;
        if (length(axis) % count != 0) continue;
        if (!fits(along(axis, straight(), [&](std::int64_t i) { return i % count * size + i / count; }))) continue;
        auto order = told(ElementOrder::Kind::groups, {axis});
        order.steps = count;
        return order;
      }
    return std::nullopt;
  }

  [[nodiscard]] ElementOrder told(ElementOrder::Kind kind, std::vector<int> axes = {}) const {
    ElementOrder order{kind, std::move(axes)};
    order.elsewhere = elsewhere_;
    return order;
  }

 private:
  [[nodiscard]] std::int64_t length(int axis) const { return shape_[static_cast<std::size_t>(axis)]; }

  [[nodiscard]] bool is_near(std::size_t at, std::int64_t from) const {
    const float right = right_[static_cast<std::size_t>(from)];
    return right == found_[at] || std::abs(static_cast<double>(right) - static_cast<double>(found_[at])) <= off_;
  }

  [[nodiscard]] bool fits(const Places& from) const {
    for (std::size_t i = 0; i < from.size(); ++i)
      if (!is_near(i, from[i])) return false;
    return true;
  }

  /// Tables that begin one row late lose their last one, so what is rolled in at the end is not looked at.
  [[nodiscard]] bool is_shifted(int axis, std::int64_t steps) const {
    const std::int64_t size = length(axis);
    const Places from = along(axis, straight(), [&](std::int64_t i) { return (i + size - steps) % size; });
    const std::int64_t stride = stride_of(axis);
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) / stride % size;
      if (at - steps >= 0 && at - steps < size && !is_near(i, from[i])) return false;
    }
    return true;
  }

  [[nodiscard]] std::int64_t stride_of(int axis) const {
    std::int64_t stride = 1;
    for (std::size_t i = static_cast<std::size_t>(axis) + 1; i < shape_.size(); ++i) stride *= shape_[i];
    return stride;
  }

  [[nodiscard]] Places straight() const {
    Places from(right_.size());
    std::iota(from.begin(), from.end(), 0);
    return from;
  }

  /// What stands at index i of the axis is to come from index moved(i).
  template <class Moved>
  [[nodiscard]] Places along(int axis, const Places& from, Moved moved) const {
    const std::int64_t size = length(axis), stride = stride_of(axis);
    Places found(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::int64_t at = static_cast<std::int64_t>(i) / stride % size;
      found[i] = from[static_cast<std::size_t>(static_cast<std::int64_t>(i) + (moved(at) - at) * stride)];
    }
    return found;
  }

  const Shape& shape_;
  std::span<const float> right_, found_;
  double off_ = 0;
  std::int64_t elsewhere_ = 0;
};

std::string listed(const std::vector<int>& numbers) {
  std::vector<std::string> pieces;
  pieces.reserve(numbers.size());
  for (const int number : numbers) pieces.push_back(std::to_string(number));
  return join(pieces, ", ");
}

}  // namespace

std::string to_string(const ElementOrder& order, const Shape& shape) {
  switch (order.kind) {
    case ElementOrder::Kind::axes:
      return fmt::format("axes {} of {}", listed(order.axes), to_string(shape));
    case ElementOrder::Kind::flipped:
      return fmt::format("flipped along {} {}", order.axes.size() == 1 ? "axis" : "axes", listed(order.axes));
    case ElementOrder::Kind::rolled:
      return fmt::format("moved by {} along axis {}", order.steps, order.axes[0]);
    case ElementOrder::Kind::blocks:
      return fmt::format("blocks {} along axis {}", listed(order.blocks), order.axes[0]);
    case ElementOrder::Kind::rows:
      return fmt::format("axis {} counts an image of {} with its axes as {}", order.axes[0], to_string(order.picture),
                         listed(order.blocks));
    case ElementOrder::Kind::groups:
      return fmt::format("axis {} in {} groups that are interleaved", order.axes[0], order.steps);
    case ElementOrder::Kind::other:
      break;
  }
  return "in an order that no axes make";
}

std::optional<ElementOrder> element_order(const Shape& shape, std::span<const float> right,
                                          std::span<const float> found, const std::vector<Shape>& pictures,
                                          double within) {
  if (right.size() != found.size() || element_count(shape).value_or(-1) != std::ssize(right)) return std::nullopt;
  const OrderSearch search(shape, right, found, within);
  if (search.elsewhere() == 0) return std::nullopt;
  if (auto order = search.axes()) return order;
  if (auto order = search.flipped()) return order;
  if (auto order = search.rolled()) return order;
  if (auto order = search.blocks()) return order;
  if (auto order = search.rows(pictures)) return order;
  if (auto order = search.groups()) return order;
  return search.told(ElementOrder::Kind::other);
}

}  // namespace culprit
