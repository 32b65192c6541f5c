#pragma once
// Which value of the source is which of the target, by the numbers that runs gave, along the paths of both. Names say
// nothing. Pure: elements and verdicts come through interfaces.

#include <map>
#include <vector>

#include "conversion/map/value_order.h"
#include "conversion/readings/drawn_floors.h"
#include "conversion/readings/elements.h"
#include "conversion/readings/value_sketch.h"
#include "conversion/sides/ways.h"
#include "record/measurement.h"

namespace culprit {

enum class FoundBy { binding, numbers, fed };

struct ValueMatch {
  int source = -1, target = -1;
  ValueOrder order;
  FoundBy by = FoundBy::numbers;
  Measurement measurement = {};
  /// It was taken without asking what rounding explains, for all elements are within the tolerance, and nothing speaks
  /// against the value.
  bool is_near = false;
  /// Only as an alias of what a mover takes (Flatten found where its input was): no evidence of the mover itself.
  bool is_alias = false;
};
using ValueMatches = std::map<int, ValueMatch>;  ///< by the source's value

/// All that the matching sees. Everything must outlive it.
struct MatchTask {
  const Ways& source;
  const Ways& target;
  const std::map<int, ValueSketch>& sketches_source;  ///< by value; what is missing was not read
  const std::map<int, ValueSketch>& sketches_target;
  Elements& elements_source;
  Elements& elements_target;
  ValueJudge& judge;
  /// By the source's value: is there static evidence against the layer that makes it (a changed parameter, another
  /// hyper-parameter)? Then it is found only where it is equal, not where it drifts. Empty: of none.
  std::vector<bool> must_be_equal = {};
  /// Further apart than that (distance of axis_order.h) no two values are the same, whatever the judge would say: of a
  /// quantized target 0.1.
  double most_apart = 1e-2;
  /// Values whose elements all differ by no more than that, times the mean size of the source's, are the same, and the
  /// judge is not asked: but not where the value must be equal, nor behind one that must be, for there a small
  /// difference may be a fault.
  double near_enough = 1e-4;
};

/// `known`: what is bound or fed; these stay. For each other computed value of the source, in order: the target's
/// values behind all mates of the nearest known values before it, the first that has its numbers in one order on all
/// samples. Movers (sides/ways.h) may also take such a mate itself; others never, and no target's value twice. Of a
/// Reshape or Flatten only the order that moves nothing. Channels are mixed by layers with parameters, and nowhere
/// else. Values that say nothing (ValueSketch::says_nothing) are never found. Integers must be the very numbers, of any
/// width. Errors: interrupted, io.
Result<ValueMatches> match_values(const MatchTask& task, const ValueMatches& known);

/// The order in which one value has the other's numbers on all samples (the batch stays first where both begin with the
/// same axis 0); where no axes make it, with channels permuted along one axis. The nearest, and how far apart:
/// over all samples. nullopt: farther apart than `most` in every order.
struct NearestValueOrder {
  ValueOrder order;
  NumbersApart apart;
};
/// An order, or a value, is taken before an earlier one only where it is nearer by that: four times.
bool is_nearer(const NumbersApart& one, const NumbersApart& other);
std::optional<NearestValueOrder> nearest_value_order(std::span<const Tensor> source, std::span<const Tensor> target,
                                                     bool may_move, double most,
                                                     const std::vector<ValueOrder>& first = {});

}  // namespace culprit
