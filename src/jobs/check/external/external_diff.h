#pragma once
// How the graph of a variant that was given differs from the original's, where the difference matters.

#include <optional>

#include "model/model.h"
#include "model/node_diff.h"
#include "record/fault_record.h"

namespace culprit {

/// The nodes and weights around the first divergence, before and after; `more` counts the lines elsewhere. Without one,
/// the first lines of all. Where external data cannot be read, weights are told apart by where they lie.
NodeDiff external_diff(const Model& original, const Model& variant, const std::optional<DivergenceRecord>& first);

}  // namespace culprit
