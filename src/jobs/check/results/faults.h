#pragma once
// From failing variants to faults: one cause each, with its culprits.

#include <string>
#include <vector>

#include "check/explain/explain_recipe.h"
#include "check/variants/judged_variants.h"
#include "record/fault_record.h"

namespace culprit {

/// Faults in the order: import or round trip, single passes in the order of the plan, interactions. `ids`: those of the
/// variants, "" for what is not in the report; `samples`: that values were judged on, 0 where the data are too weak. Of
/// several explanations the first is of what users run, and its workarounds count.
std::vector<FaultRecord> find_faults(const JudgedVariants& variants, const std::vector<Explanation>& explanations,
                                     const std::vector<std::string>& ids, std::size_t samples);

}  // namespace culprit
