#pragma once
// What may be said of a region that no change mends. Pure.

#include <string>
#include <vector>

#include "conversion/faults/parameter_evidence.h"

namespace culprit {

/// What differs there, at most three things: nobody knows that one of them is the mistake, so none says what should be.
/// No number is told of a tensor that may stand for several of the source. A single number is told only where both
/// sides have the same operators there, and no hyper-parameter of a kernel that one side takes apart
/// (SPACE_TO_BATCH_ND).
std::vector<std::string> region_hints(const EvidenceTask& task, const std::vector<EditProposal>& proposals);

}  // namespace culprit
