#pragma once
// What may have made a wrong output wrong: values on the way to it that were not found. Pure.

#include <optional>
#include <utility>
#include <vector>

#include "conversion/map/match_values.h"
#include "conversion/sides/ways.h"

namespace culprit {

/// Backwards from the source's values `bad` through values that are not known. By the source's value.
std::vector<bool> suspects_of(const Ways& source, const std::vector<int>& bad, const ValueMatches& known);

/// The first of them in order whose maker's computed inputs are all known. nullopt where there is none.
std::optional<int> first_suspect(const Ways& source, const std::vector<bool>& suspects, const ValueMatches& known);

/// What lies around a cut.
struct FaultRegion {
  std::vector<int> source_layers;   ///< from the last known non-movers to the source's value of the cut, in order
  std::vector<int> target_layers;   ///< from the mates to the target's value of the cut, in order
  std::vector<ValueMatch> borders;  ///< known values that the region takes
  int source = -1, target = -1;     ///< the values of the cut
  ValueOrder order;                 ///< of these
};

/// The source's values from which `to` follows, or that are it, and that follow from `from`, or are it: their layers in
/// order. Of suspects only.
std::vector<int> layers_between(const Ways& source, const std::vector<bool>& suspects, int from, int to);

/// The region before a cut. It goes back over movers, for that one is found says nothing of it (MatchTask). In the
/// target it ends at the mates of the source's borders, and where other edges lead into it, at other mates: these are
/// borders as well. `target` may be a mate of a border itself: then there are no target layers.
FaultRegion region_before(const Ways& source, const Ways& target, const ValueMatches& known, const ValueMatch& cut);

}  // namespace culprit
