#pragma once
// What `culprit profile` does between its flags and its report: the rows, samples that the models run on, and the
// measuring.

#include "cli/commands/profile.h"
#include "cli/run.h"
#include "record/profile.h"

namespace culprit {

/// The trace of one run of each row is left at `trace.json` in the work folder behind those of the models. Errors: what
/// is wrong with the flags or the files (usage, not_found, bad_input), interrupted, io.
Result<ProfileReport> measure_rows(Run& run, const ProfileArguments& arguments);

}  // namespace culprit
