#pragma once
// What came of a case: read off its exit code and the report that it left.

#include <filesystem>

#include "base/error.h"
#include "campaign/case_runner.h"
#include "store/case_types.h"

namespace culprit {

/// The report is what the case wrote into `folder`; of one that wrote none, {"error", "last_words"}: it failed, or is
/// inconclusive if that is what its exit code says. Of a case with
/// nothing to keep (no variants, no repros) the folder goes. ErrorKind::io where the disk of `folder` is full, so that
/// nothing can be said.
Result<CaseOutcome> outcome_of(const CaseOrder& order, const CaseEnd& end, const std::filesystem::path& folder);

}  // namespace culprit
