#pragma once
// Which nodes of the original each node of the graph that the runtime made of it does the work of.
// Nodes of the original that compute the same from the same were merged: the one that is left does the work of all.
//
// A node does all that lies, in the original, between the values that its outputs stand for (standing_values.h) and the
// nearest values before them that something in the optimized graph stands for. Where several nodes lie between two such
// values (an operator was taken apart), each gets the originals of its own operator, and where there are none of that,
// all of them. What the runtime only put in to change layout, type or place belongs to the originals of the node that
// it serves, and is said to be inserted. What is not known stays empty: nothing is guessed.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/nodes/flat_model.h"

namespace culprit {

struct NodeOrigin {
  std::vector<int> originals;  ///< numbers of nodes of the original, in its order; empty: not known
  bool is_inserted = false;    ///< does nothing of theirs: changes layout, type or place for them
  bool is_constant = false;    ///< a stored value: it never runs, and has no originals
};

enum class NodeFate {
  runs,      ///< a node of the optimized graph does its work
  folded,    ///< was computed while loading: it rests on constants, or on shapes that are known
  unneeded,  ///< no output needs it, or it is in a branch that was removed
  unknown,
};

struct FusedNodes {
  std::vector<NodeOrigin> origins;  ///< by node of the optimized model
  std::vector<NodeFate> fates;      ///< by node of the original
};

FusedNodes fused_nodes(const FlatModel& original, const FlatModel& optimized);

/// How much is known, for tests and measurements.
struct FusionCoverage {
  std::int64_t originals = 0, running = 0, folded = 0, unneeded = 0, unknown = 0;  ///< nodes of the original
  std::int64_t optimized = 0, with_originals = 0,
               inserted = 0;  ///< nodes of the optimized model, no constants; inserted ones are
                              ///< among those with originals where these are known
};
FusionCoverage coverage_of(const FusedNodes& nodes);

}  // namespace culprit
