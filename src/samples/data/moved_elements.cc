#include "data/moved_elements.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "tensor/strides.h"

namespace culprit {
namespace {

constexpr std::size_t most_moved_elements = 4'000'000;  // of a result

using Lines = std::vector<Numbers>;  // for each axis: by place after, the place before

Lines straight(const Shape& shape) {
  Lines lines;
  for (const std::int64_t size : shape) {
    lines.emplace_back(static_cast<std::size_t>(size));
    std::iota(lines.back().begin(), lines.back().end(), 0);
  }
  return lines;
}

/// Axis `order[i]` before is axis i after; `lines` are those of the axes after.
std::optional<Move> along(const Shape& shape, const Lines& lines, const Numbers& order) {
  std::size_t elements = 1;
  for (const Numbers& line : lines) {
    if (!line.empty() && elements > most_moved_elements / line.size()) return std::nullopt;
    elements *= line.size();
  }
  const Numbers strides = strides_of(shape);
  Move move;
  for (const Numbers& line : lines) move.shape.push_back(static_cast<std::int64_t>(line.size()));
  move.from.assign(1, 0);
  for (std::size_t axis = 0; axis < lines.size(); ++axis) {
    const std::int64_t stride = strides[static_cast<std::size_t>(order[axis])];
    Numbers next;
    next.reserve(move.from.size() * lines[axis].size());
    for (const std::int64_t base : move.from) {
      for (const std::int64_t place : lines[axis]) {
        const bool is_filled = base == Move::filled || place == Move::filled;
        next.push_back(is_filled ? Move::filled : base + place * stride);
      }
    }
    move.from = std::move(next);
  }
  return move;
}

std::optional<Move> along(const Shape& shape, const Lines& lines) {
  Numbers order(shape.size());
  std::iota(order.begin(), order.end(), 0);
  return along(shape, lines, order);
}

Numbers slice_line(std::int64_t size, std::int64_t start, std::int64_t end, std::int64_t step) {
  const auto placed = [&](std::int64_t number, std::int64_t low, std::int64_t high) {
    return std::clamp(number < 0 ? number + size : number, low, high);
  };
  Numbers line;
  if (step > 0) {
    const std::int64_t last = placed(end, 0, size);
    for (std::int64_t at = placed(start, 0, size); at < last; at += std::min(step, size)) line.push_back(at);
  } else {
    const std::int64_t last = placed(end, -1, size - 1);
    for (std::int64_t at = placed(start, -1, size - 1); at > last; at += std::max(step, -size)) line.push_back(at);
  }
  return line;
}

}  // namespace

std::optional<std::size_t> axis_in(std::int64_t axis, std::size_t rank) {
  const auto size = static_cast<std::int64_t>(rank);
  if (axis < -size || axis >= size) return std::nullopt;
  return static_cast<std::size_t>(axis < 0 ? axis + size : axis);
}

std::optional<Move> transposed(const Shape& shape, Numbers order) {
  if (order.empty()) {
    order.resize(shape.size());
    std::iota(order.rbegin(), order.rend(), 0);
  }
  Numbers sorted = order;
  std::ranges::sort(sorted);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (sorted[i] != static_cast<std::int64_t>(i)) return std::nullopt;
  }
  if (order.size() != shape.size()) return std::nullopt;
  const Lines before = straight(shape);
  Lines after;
  for (const std::int64_t axis : order) after.push_back(before[static_cast<std::size_t>(axis)]);
  return along(shape, after, order);
}

std::optional<Move> sliced(const Shape& shape, const Numbers& starts, const Numbers& ends, Numbers axes,
                           Numbers steps) {
  if (axes.empty()) {
    axes.resize(starts.size());
    std::iota(axes.begin(), axes.end(), 0);
  }
  if (steps.empty()) steps.assign(starts.size(), 1);
  if (ends.size() != starts.size() || axes.size() != starts.size() || steps.size() != starts.size())
    return std::nullopt;
  Lines lines = straight(shape);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto axis = axis_in(axes[i], shape.size());
    if (!axis || steps[i] == 0) return std::nullopt;
    lines[*axis] = slice_line(shape[*axis], starts[i], ends[i], steps[i]);
  }
  return along(shape, lines);
}

std::optional<Move> padded(const Shape& shape, const Numbers& pads) {
  constexpr std::int64_t most = 1 << 20;
  if (pads.size() != 2 * shape.size()) return std::nullopt;
  Lines lines;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const std::int64_t before = pads[axis], after = pads[axis + shape.size()];
    if (std::abs(before) > most || std::abs(after) > most) return std::nullopt;
    Numbers line;
    for (std::int64_t at = -before; at < shape[axis] + after; ++at) {
      line.push_back(at < 0 || at >= shape[axis] ? Move::filled : at);
    }
    lines.push_back(std::move(line));
  }
  return along(shape, lines);
}

std::optional<Move> gathered(const Shape& shape, const Numbers& indices, std::int64_t axis) {
  const auto at = axis_in(axis, shape.size());
  if (!at) return std::nullopt;
  Lines lines = straight(shape);
  lines[*at].clear();
  for (const std::int64_t index : indices) {
    if (index < -shape[*at] || index >= shape[*at]) return std::nullopt;
    lines[*at].push_back(index < 0 ? index + shape[*at] : index);
  }
  return along(shape, lines);
}

std::optional<Shape> shape_like(const Shape& shape, Numbers wanted, bool allow_zero) {
  std::int64_t known = 1, rest = -1;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] == 0 && !allow_zero) {
      if (i >= shape.size()) return std::nullopt;
      wanted[i] = shape[i];
    }
    if (wanted[i] == -1 && rest >= 0) return std::nullopt;
    if (wanted[i] == -1) rest = static_cast<std::int64_t>(i);
    if (wanted[i] >= 0) known *= wanted[i];
  }
  const auto count = element_count(shape);
  if (!count) return std::nullopt;
  if (rest >= 0) {
    if (known == 0) return std::nullopt;
    wanted[static_cast<std::size_t>(rest)] = *count / known;
  }
  const auto made = element_count(wanted);
  return made && *made == *count ? std::optional(wanted) : std::nullopt;
}

std::optional<Shape> squeezed(const Shape& shape, const Numbers& axes) {
  std::set<std::size_t> gone;
  for (const std::int64_t axis : axes) {
    const auto at = axis_in(axis, shape.size());
    if (!at || shape[*at] != 1) return std::nullopt;
    gone.insert(*at);
  }
  Shape rest;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    const bool goes = axes.empty() ? shape[axis] == 1 : gone.contains(axis);
    if (!goes) rest.push_back(shape[axis]);
  }
  return rest;
}

std::optional<Shape> unsqueezed(const Shape& shape, const Numbers& axes) {
  const std::size_t rank = shape.size() + axes.size();
  std::set<std::size_t> added;
  for (const std::int64_t axis : axes) {
    const auto at = axis_in(axis, rank);
    if (!at || !added.insert(*at).second) return std::nullopt;
  }
  Shape wider;
  auto next = shape.begin();
  for (std::size_t axis = 0; axis < rank; ++axis) wider.push_back(added.contains(axis) ? 1 : *next++);
  return wider;
}

}  // namespace culprit
