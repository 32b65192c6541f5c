#pragma once
// From faults back to the variants that show them.

#include <optional>
#include <string>
#include <vector>

#include "check/variants/judged_variants.h"
#include "trial/fault_case.h"

namespace culprit {

/// What shows this fault: a variant that it names with its very signature, the culprits alone if there is one, else
/// the first; of a control the round trip. Nothing for a fault that no single recipe shows (the control
/// `optimizer_repeat`), and for one that only values inside the graph show. The result points into all of the
/// arguments.
std::optional<FaultCase> case_of(const FaultRecord& fault, const JudgedVariants& variants,
                                 const std::vector<std::string>& ids, const Judging& by, const CheckOptions& options);

}  // namespace culprit
