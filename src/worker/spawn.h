#pragma once
// Starting a worker process.

#include <filesystem>

#include "base/error.h"
#include "worker/child.h"

namespace culprit {

/// Starts `<program> worker --fd 3` in a session of its own: stdin is /dev/null, stdout and stderr are a log file, 3 is
/// its end of the channel, and nothing else is inherited. An error says why it could not be started.
Result<Child> spawn_worker(const std::filesystem::path& program, const std::filesystem::path& scratch);

}  // namespace culprit
