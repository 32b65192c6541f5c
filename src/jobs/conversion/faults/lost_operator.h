#pragma once
// An operator of the source that the target lacks, put at each place where it may belong. Pure: confirming tells which
// one is right.

#include <vector>

#include "conversion/faults/hyper_evidence.h"

namespace culprit {

/// Has it one input and one output, and leaves the shape of the rest? It may be lost or added anywhere: Relu.
bool is_plain(const NetworkLayer& layer);

/// The inputs that are not constants.
std::size_t computed_inputs(const Ways& ways, const NetworkLayer& layer);

/// A layer of the source in its region, if it is of a kind that may be lost: a plain one, a bias (whose numbers are
/// lost), one that takes a value and constants, one that takes two values (a residual connection). Else nothing.
std::vector<EditProposal> lost_operator(const EvidenceTask& task, int layer);

/// A Transpose that the target has nowhere.
std::vector<EditProposal> lost_transpose(const EvidenceTask& task, int layer);

/// The hyper-parameters of a layer of the source where its input lies as the target has it: an axis of channels is
/// another one there.
HyperMap hyper_in_target_of(const EvidenceTask& task, int layer);

}  // namespace culprit
