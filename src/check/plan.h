#pragma once
// Which variants to make.

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "check/check.h"

namespace culprit {

struct PlannedVariant {
  Recipe recipe;
  Contract contract = Contract::equivalent;
  bool is_bundle = false;
  std::string reason;  ///< why it is made, where the plan alone does not say: "the bundle without fuse_bn_into_conv"
};

/// The order of the result is the order of the ids. --passes and --each replace the default plan: each pass of the
/// bundle alone, with --all-passes the others alone, then the bundle in the optimizer's order. Unknown passes:
/// ErrorKind::usage.
Result<std::vector<PlannedVariant>> make_plan(const CheckOptions& options, std::span<const PassInfo> passes);

/// A recipe of known passes; it promises no more than the weakest of them.
PlannedVariant plan_for(std::vector<std::string> names, const CheckOptions& options, std::span<const PassInfo> passes);

/// "fuse_bn_into_conv", "the bundle", "the recipe a, b", "round_trip"
std::string name_of(const PlannedVariant& planned);

}  // namespace culprit
