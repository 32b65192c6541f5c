#pragma once
// What the report says of the safe recipe.

#include <string>
#include <vector>

#include "check/explain/explain_recipe.h"
#include "record/report.h"

namespace culprit {

/// `faults` with their ids; `ids` those of the variants.
SafeRecipe safe_recipe_record(const JudgedVariants& variants, const Explanation& explanation,
                              const std::vector<FaultRecord>& faults, const std::vector<std::string>& ids,
                              const Reference& reference, const CheckOptions& options);

/// Where the search could not even begin: the baseline of this report is not ok, or the import failed. All of the
/// recipe, not verified, and why.
SafeRecipe unverified_recipe(const Recipe& recipe, const ModelReport& report);

}  // namespace culprit
