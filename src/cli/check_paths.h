#pragma once
// Before anything is done: are the files there that the command line names, and is nothing of the user's in the place
// of what will be written?

#include "base/error.h"
#include "cli/model_flags.h"

namespace culprit {

/// ErrorKind::usage for a named file that is not there; an -o that is one of the files to read, or anything that is no
/// report of ours, or cannot be written; a --run-dir that is no folder, or holds one of the files to read.
Result<void> places_must_be_fine(const CheckArguments& arguments);

/// The same of the place for a model that a command makes: it is none of the files to read, its folder can be written,
/// and it does not lie where a run removes what an earlier one left.
Result<void> place_must_be_free(const std::filesystem::path& out, const CheckArguments& arguments);

}  // namespace culprit
