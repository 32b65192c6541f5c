#pragma once
// One run job in a process that nobody talks to: for programs that look at another program while it runs, such as ncu.

#include <filesystem>

#include "base/error.h"
#include "executor/executor.h"
#include "runtime/runner_kind.h"
#include "worker/worker_main.h"

namespace culprit {

/// Writes the job, with all its paths absolute, so that whoever reads it may be in any folder.
Result<void> write_lone_run(const RunJob& job, RunnerSpec runner, const std::filesystem::path& file);

/// Loads the model of the job in `file` and runs its samples, one after the other; outputs are dropped.
Result<void> run_alone(const std::filesystem::path& file, const WorkerSkills& skills);

}  // namespace culprit
