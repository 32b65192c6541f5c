#pragma once
// Which value of one graph means the same as which of another (docs/comparing.md). Near-linear in the size of the
// graphs, and pure: it looks at the models only.
//
// In this order, where what stands above wins:
//   binding      inputs and outputs that stand for each other
//   computation  the same operator with the same attributes, on inputs that are mapped to each other or are constants
//                of the same content: a hash, as in value numbering
//                (of several equal ones by name, and one that changed in B keeps its own)
//   name         the same name, and the same operators use it at the same places (a fusion keeps names and changes
//                what they mean, but not without taking a consumer away)
//   position     behind values that are mapped to each other, and used by the same operators at the same places; or
//                the same input of two nodes whose outputs are mapped to each other
// Declared types and shapes that differ forbid a name or a position. A value whose computation changed takes the place
// of its counterpart, so that what follows is found by computation again.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/graph_index.h"
#include "model/value_numbering.h"
#include "record/comparison.h"

namespace culprit {

struct ValueMap {
  std::vector<int> to_b;     ///< by A's value: B's, or -1
  std::vector<MappedBy> by;  ///< by A's value; of those that are mapped
  std::vector<int> into;     ///< by A's value that is not mapped: the node of B that it was fused into, or -1
  std::vector<bool>
      is_counted;  ///< by A's value: a node of the top graph makes it, no Constant, and an output needs it
  MapCoverage coverage;
};

ValueMap map_values(const GraphIndex& a, const GraphIndex& b, const BoundValues& bound);

/// The furthest that a value may be from the mapped value that it was fused into, in nodes of A: fused attention and
/// normalization take about ten.
constexpr int furthest_fused = 12;

}  // namespace culprit
