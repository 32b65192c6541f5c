#pragma once
// Which node of the optimized model (as `save_optimized_to` wrote it) a node of the runtime's profile is. The profile
// tells names, operators and the runtime's own indexes; the file has names only, and not every node has one.

#include <vector>

#include "profile/nodes/flat_model.h"
#include "profile/nodes/runtime_trace.h"

namespace culprit {

/// By node of the trace: number of the node of the model, or -1 where it is not known: several are equal and nothing
/// tells them apart.
std::vector<int> traced_places(const RuntimeTrace& trace, const FlatModel& optimized);

}  // namespace culprit
