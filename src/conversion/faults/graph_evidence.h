#pragma once
// Operators that are lost, added or exchanged, and edges that are crossed. Pure.

#include <vector>

#include "conversion/faults/hyper_evidence.h"

namespace culprit {

/// What is left of both regions when pairs, movers, casts and known decompositions are taken out.
std::vector<EditProposal> graph_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs);

}  // namespace culprit
