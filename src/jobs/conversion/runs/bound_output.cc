#include "conversion/runs/bound_output.h"

#include "base/as_index.h"

namespace culprit {

const std::string& name_in(const ReadSide& side, int value) { return side.network().values[as_index(value)].name; }

std::string order_in_words(const ValueMatch& match, const BothSides& sides) {
  if (match.order.moves_nothing()) return "";
  return to_string(match.order, shape_in(sides.source.sketches, match.source),
                   shape_in(sides.target.sketches, match.target));
}

BoundOutput bound_output(const ValueMatch& match, const BothSides& sides, const Measurement& measurement) {
  BoundOutput bound{name_in(sides.source, match.source), name_in(sides.target, match.target),
                    order_in_words(match, sides), measurement};
  const Shape source = shape_in(sides.source.sketches, match.source),
              target = shape_in(sides.target.sketches, match.target);
  const bool is_told_by_axes = match.order.channels.empty() && !match.order.axes.of_target;
  if (!is_told_by_axes || (match.order.moves_nothing() && source == target)) return bound;
  bound.axes = match.order.axes.axes;
  if (bound.axes.empty())
    for (std::size_t axis = 0; axis < source.size(); ++axis) bound.axes.push_back(static_cast<int>(axis));
  bound.shape = target;
  return bound;
}

}  // namespace culprit
