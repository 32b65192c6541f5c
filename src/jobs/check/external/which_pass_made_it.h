#pragma once
// Did a pass of the optimizer make this variant? All single passes and the bundle are applied to the original, and what
// they make is held against it by fingerprint.

#include "check/check.h"

namespace culprit {

struct Making {
  GivenRecord given;
  ImportOutcome original;  ///< what was learnt of the original
};

/// One optimize job of the original, and a look at the variant. Asks for nothing
/// but the fingerprints when time is up. ErrorKind::interrupted.
Result<Making> find_making(const Model& original, const Model& variant, const CheckOptions& options,
                           const CheckTools& tools);

}  // namespace culprit
