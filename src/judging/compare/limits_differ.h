#pragma once
// Nodes of one operator that do the same to all values but those at or beyond a limit: Less of 128 and of 127, Clip to
// 6 and to 7, rows of a table that no sample looks up.

#include "compare/compared_graphs.h"

namespace culprit {

/// The two nodes, by number, get the same values in both models. Are they of one operator that has a limit, and is the
/// limit another one? Attributes that are left out have their default; constants count by their elements. An end of a
/// Slice counts only where sizes are open and both ends lie within a million: what cuts nothing off is no limit.
bool limits_differ(const ComparedGraphs& graphs, int node_a, int node_b);

}  // namespace culprit
