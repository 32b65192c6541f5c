#pragma once
// Flags of `culprit eval` that say what is read off the outputs, beyond --task.

#include <string>

#include "base/error.h"
#include "cli/flags.h"
#include "task/task_settings.h"

namespace culprit {

/// As typed; "" where not given.
struct DecidingFlags {
  std::string detector;
  bool softmax = false, curves = false;
};

void add_deciding(const Flags& group, DecidingFlags& flags);

/// `task`: as --task says it, "" where nothing does; a flag that belongs to one task decides for it. Errors are
/// ErrorKind::usage: a detector that is neither known nor a file, a file that describes none, flags that belong to
/// another task; ErrorKind::io: a file that cannot be read.
Result<void> resolve(const DecidingFlags& flags, std::string& task, TaskSettings& settings);

}  // namespace culprit
