#pragma once
// `repair` as a library: the target of a conversion is mended, verified as it lies on the disk, and put into its place;
// or all is as it was.

#include "app/caller.h"
#include "app/requests.h"
#include "app/run_folder.h"
#include "record/target_repair.h"

namespace culprit {

struct RepairAnswer {
  TargetRepair repair;
  RunFolder folder;  ///< whoever asked finishes it with the repair
};

/// A file is at `out` afterwards only where the status is clean, mended or fed_right; else what was there before is.
/// Errors: usage (`out` cannot be it); unsupported (a target that is not written: TensorFlow, Keras); those of
/// `diagnose_pair`.
Result<RepairAnswer> repair_target(const RepairRequest& request, const Caller& caller);

}  // namespace culprit
