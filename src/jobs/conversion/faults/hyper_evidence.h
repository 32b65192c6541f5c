#pragma once
// Hyper-parameters of paired layers that do not mean the same. Pure.

#include <vector>

#include "conversion/faults/canonical_hyper.h"
#include "conversion/faults/parameter_evidence.h"

namespace culprit {

/// Layers of one type paired in a region: by their kernels, else in their order.
struct LayerPair {
  int source = -1, target = -1;
};
std::vector<LayerPair> paired_layers(const EvidenceTask& task);

/// Differences of hyper-parameters, and of single numbers that layers work with (an epsilon that is added), are
/// hyper-parameters as well.
std::vector<EditProposal> hyper_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs);

/// How the target's layer of a pair lies beside the source's: the order of its first input, where its mate is known.
ValueOrder order_of_pair(const EvidenceTask& task, const LayerPair& pair);

}  // namespace culprit
