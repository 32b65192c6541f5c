#pragma once
// Operators that are lost, added or exchanged, and edges that are crossed. Pure.

#include <vector>

#include "conversion/faults/hyper_evidence.h"

namespace culprit {

/// What is left of both regions when pairs, movers and casts are taken out: exchanged (one left on each side), lost
/// (put at each place where it may belong), added; inputs of paired layers that are not the mates of the source's; and
/// Transposes that the source does not have, or has otherwise. Decompositions are not known here: what is proposed for
/// them mends nothing, and confirming tells.
std::vector<EditProposal> graph_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs);

}  // namespace culprit
