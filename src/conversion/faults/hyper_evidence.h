#pragma once
// Hyper-parameters of paired layers that do not mean the same. Pure.

#include <map>
#include <string>
#include <vector>

#include "conversion/faults/parameter_evidence.h"

namespace culprit {

/// Layers of one type paired in a region: by their kernels, else in their order.
struct LayerPair {
  int source = -1, target = -1;
};
std::vector<LayerPair> paired_layers(const EvidenceTask& task);

/// The hyper-parameters in one form, so that equal meanings compare equal: pads for auto_pad, axes not negative, in the
/// source's order of axes, presets filled, [1, 1] for 1, what kernels tell left out. `shapes`: of the layer's first
/// input and output, in its own layout. `order`: of the target's layer (the source's: empty).
std::map<std::string, Hyper> canonical_hyper(const NetworkLayer& layer, const Shape& input, const Shape& output,
                                             const ValueOrder& order);

std::vector<EditProposal> hyper_evidence(const EvidenceTask& task, const std::vector<LayerPair>& pairs);

}  // namespace culprit
