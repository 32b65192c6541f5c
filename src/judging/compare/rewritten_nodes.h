#pragma once
// Nodes that are written otherwise in B, are given the same, and yet gave the same bits: either they mean the same, or
// no sample reaches where they differ (Relu and a Clip to 6 of values below 6, a branch that was never taken).

#include <string>
#include <vector>

#include "compare/compared_graphs.h"
#include "compare/inner_values.h"

namespace culprit {

struct OtherNode {
  NodeRef a, b;
  /// Both are of one operator, and only values beside a limit tell them apart (compare/limits_differ.h).
  bool is_beside_a_limit = false;
};

/// By the values that were read, in the order of A's graph. Near-linear in the size of the graphs.
std::vector<OtherNode> other_nodes_of_same_bits(const ComparedGraphs& graphs, const InnerValues& inner);

/// One sentence, with the first few; nothing where there are none: "1 node is written otherwise in B and gave the same
/// bits: Relu 'act' (Clip in B)".
std::string text_of(const std::vector<OtherNode>& nodes);

}  // namespace culprit
