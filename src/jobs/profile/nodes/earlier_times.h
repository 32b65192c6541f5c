#pragma once
// How long the baseline took for what a node of another entry does: where an optimizer fused nodes, one node stands
// against several.

#include "record/profile.h"

namespace culprit {

/// Fills NodeTimeRecord::baseline_seconds of all entries that are of their baseline's model, but for baselines: the sum
/// of the baseline's nodes that do the same work, told by the given model's nodes. Nothing where one of them does other
/// work beside, or where none does any of it. Each node of the baseline counts once: where several nodes do its work
/// (an operator was taken apart), the slowest of them stands against it, and none that was only inserted. So these
/// times and NodeTimes::baseline_other_seconds add up to those of all nodes of the baseline.
void tell_earlier_times(ProfileReport& report);

}  // namespace culprit
