#pragma once
// What the runtime's profile and the two models tell together: which nodes ran, for which of the given model's nodes,
// and how long.

#include <optional>
#include <string>
#include <vector>

#include "cost/node_costs.h"
#include "profile/nodes/fused_nodes.h"
#include "profile/nodes/runtime_trace.h"
#include "record/profile.h"

namespace culprit {

/// A node of the trace, as the models know it.
struct MappedNode {
  std::string name, op;                ///< unlike all others; "com.microsoft.FusedConv"
  std::vector<std::string> originals;  ///< names of nodes of the given model (FlatModel::names_of_nodes)
  bool is_inserted = false;
  std::optional<double> flops = {}, moved = {};  ///< of one run; bytes
};

/// By node of the trace. One that is not found in the optimized model has the name that the trace gives it, and no
/// originals. `costs` are of the optimized model (own_costs); what cannot be told apart there has none.
std::vector<MappedNode> mapped_nodes(const RuntimeTrace& trace, const FlatModel& original, const FlatModel& optimized,
                                     const std::vector<NodeCost>& costs = {});

/// `nodes_seconds` is the sum over the nodes, so that shares add up to 1. With `left_out_seconds` it is not quite
/// `run_seconds`: each of them is a median over the runs, so what single slow calls took is in no node's. On a busy
/// machine that may be more than what is left out.
NodeTimes node_times(const RuntimeTrace& trace, const std::vector<MappedNode>& nodes);

}  // namespace culprit
