#pragma once
// Which version is the library of a runner, and on what can it run? Asked of a child process, because loading a library
// runs its code.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "runtime/runner_kind.h"

namespace culprit {

struct ProbedRuntime {
  std::string version;
  std::vector<std::string> providers;  ///< that it was built with: "CUDA", "CPU"
};

/// Starts `<program> worker --probe <kind> <library>`, which may use `seconds` (process/watch_limits.h). The error
/// tells how the child ended and what it said last.
Result<ProbedRuntime> probe_runtime(const std::filesystem::path& program, const RunnerSpec& runner,
                                    double seconds = 60);

/// What a probing worker says before the names of the providers, and behind these before the version.
inline constexpr const char* probe_providers_mark = "culprit-probe-providers ";
inline constexpr const char* probe_mark = "culprit-probe-version ";

}  // namespace culprit
