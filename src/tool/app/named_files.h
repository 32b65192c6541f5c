#pragma once
// The files that a request names to be read. None of them may be written over, nor go with an earlier run.

#include <vector>

#include "app/workshop_order.h"
#include "base/error.h"

namespace culprit {

/// All that is named and is there, folders among them. A version of the runtime, and a Python of the PATH, are no
/// files.
std::vector<NamedFile> files_to_read(const WorkshopOrder& order);

/// ErrorKind::usage for a model, or what a flag names, that is not there, or is no library where one is wanted.
Result<void> named_files_must_be_there(const WorkshopOrder& order);

}  // namespace culprit
