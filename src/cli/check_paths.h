#pragma once
// Before anything is done: are the files there that the command line names, and is nothing of the user's in the place
// of what will be written?

#include "base/error.h"
#include "cli/check.h"

namespace culprit {

/// ErrorKind::usage for a library that is not there; an -o that is a model, or a file that is no text (weights,
/// samples), or in no folder; a --run-dir that holds one of the models, whose variants it would replace.
Result<void> places_must_be_fine(const CheckArguments& arguments);

}  // namespace culprit
