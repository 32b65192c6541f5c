#pragma once
// How rows decide: all of them on the same data, in processes of their own, held against the baseline row and against
// labels (evaluate/evaluate.h).

#include "profile/made_rows.h"
#include "profile/profile.h"
#include "record/evaluation.h"

namespace culprit {

/// Fills in `quality` of the entries, and adds to `quality_about`. `evaluated` tells of these rows, in this order. What
/// a row could not decide is a warning of it.
void take_quality(const EvaluationReport& evaluated, const std::vector<std::size_t>& which, ProfileReport& report);

/// Runs what `options.quality` asks for on these rows, their baseline first, and takes it. Where nobody named a task
/// and the data do not tell one, or cannot be read, that is a warning. Errors: usage, unsupported (a named task that
/// does not fit), io, interrupted.
Result<void> measure_quality(const std::vector<GivenModel>& models, const std::vector<ProfiledRow>& rows,
                             const std::vector<MadeRow>& made, const std::vector<std::size_t>& which,
                             const ProfileOptions& options, const ProfileTools& tools, ProfileReport& report);

}  // namespace culprit
