#pragma once
// Which variants to make.

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "optimizer/optimizer.h"
#include "trial/options.h"

namespace culprit {

struct PlannedVariant {
  Recipe recipe;
  Contract contract = Contract::equivalent;
  bool is_bundle = false;
  bool is_for_search = false;   ///< made on the way to an explanation: not in the report unless something rests on it
  RewriteLimits rewrites = {};  ///< of a trial that looks for single rewrites
  std::string reason;   ///< why it is made, where the plan alone does not say: "the bundle without fuse_bn_into_conv"
  std::string made_as;  ///< what a part of the recipe is called for short: "the safe list", "bundle without b"; or ""
};

/// The order of the result is the order of the ids. --passes and --each replace the default plan: each pass of the
/// bundle alone, with --all-passes the others alone, then the bundle in the optimizer's order. Of a runtime: its
/// levels, the users' last, with --all-passes each step alone before them. Orders replace all of that. Unknown passes:
/// ErrorKind::usage.
Result<std::vector<PlannedVariant>> make_plan(const PlanOptions& options, const OptimizerTraits& optimizer);

/// What users run, and so what the safe recipe is looked for in: the bundle, or --passes. nullptr: none (--each,
/// orders).
const PlannedVariant* recipe_of_users(std::span<const PlannedVariant> plan, const PlanOptions& options);

/// A recipe of known passes; it promises no more than the weakest of them.
PlannedVariant plan_for(std::vector<std::string> names, const PlanOptions& options, const OptimizerTraits& optimizer);

/// Of a runtime, what the default plan leaves until it is known: each of these steps alone, but for those that stand in
/// the plan.
std::vector<PlannedVariant> steps_alone(const std::vector<std::string>& steps, const PlanOptions& options,
                                        const OptimizerTraits& optimizer);

/// "fuse_bn_into_conv", "the bundle", "the recipe a, b", "round_trip", "nop, some rewrites"
std::string name_of(const PlannedVariant& planned);

}  // namespace culprit
