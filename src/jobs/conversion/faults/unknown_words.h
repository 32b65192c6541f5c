#pragma once
// Operators of other frameworks that a converter left in an ONNX file, written in those that ONNX has. Pure.

#include <vector>

#include "conversion/faults/parameter_evidence.h"

namespace culprit {

/// One proposal for each such layer of the region: Erfc, Expm1, Log1p, Rsqrt, Square, Xdivy, Xlogy. The last two are
/// 0 where x is 0, whatever y is; what stands for them is not, where y is 0 as well. None in other formats than ONNX.
std::vector<EditProposal> words_for_unknown(const EvidenceTask& task);

}  // namespace culprit
