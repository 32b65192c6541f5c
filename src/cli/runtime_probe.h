#pragma once
// Which version is this runtime library? Asked of a child process, because loading a library runs its code.

#include <filesystem>
#include <string>

#include "base/error.h"

namespace culprit {

/// Starts `<program> worker --probe <library>`, which may use `seconds` (process/watch_limits.h). The error tells how
/// the child ended and what it said last.
Result<std::string> probe_runtime(const std::filesystem::path& program, const std::filesystem::path& library,
                                  double seconds = 60);

}  // namespace culprit
