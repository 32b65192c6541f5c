#pragma once
// Parameters of a region that the source has folded into a kernel and its bias, and the target has in layers of their
// own: what of them is wrong. Pure.

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conversion/faults/parameter_evidence.h"

namespace culprit {

struct UnfoldedEvidence {
  std::vector<EditProposal> proposals;
  std::set<std::size_t> targets;                ///< the target's parameters of which this says all there is to say
  std::set<std::pair<int, std::string>> parts;  ///< and the source's: a layer and a role
};

UnfoldedEvidence unfolded_evidence(const EvidenceTask& task, const std::vector<Shape>& pictures);

}  // namespace culprit
