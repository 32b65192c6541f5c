#pragma once
// A variant that was given as a file, made by whatever made it: is it wrong, and why?

#include "check/check.h"

namespace culprit {

/// The optimizer of recipes that stand for a given variant: `passes` is empty then.
inline constexpr const char* external_optimizer = "given";

/// Where a pass, or the bundle, makes this very variant, that is checked as check_model checks a recipe,
/// single rewrites and all. Else the file is judged as if one pass, called like it, had made it: its values at both
/// levels, its interface, that it is valid, loads and runs, each failure confirmed. No recipe is looked for then, and
/// controls of the optimizer are not in the report. `given` of the report is set. Errors as of check_model, and
/// bad_input for a file that no pass made and whose inputs or outputs stand for none of the model's.
Result<ModelReport> check_external(const Model& model, const Model& variant, const std::vector<Proposal>& proposals,
                                   const CheckOptions& options, const CheckTools& tools);

}  // namespace culprit
