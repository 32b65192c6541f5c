#pragma once
// Which bodies of If, Loop and Scan of two models are the same: those that share the most names.

#include <vector>

#include "profile/nodes/flat_model.h"

namespace culprit {

/// By graph of the optimized model: graphs of the original, the one that it stands for first, then those that were
/// taken into it (the body of an If whose condition is known), by how many names they share.
std::vector<std::vector<int>> paired_graphs(const FlatModel& original, const FlatModel& optimized);

}  // namespace culprit
