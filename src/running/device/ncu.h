#pragma once
// Kernels of the device, counted by NVIDIA's program `ncu` (Nsight Compute), where it is installed.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/stop.h"
#include "process/failure.h"
#include "record/profile.h"

namespace culprit {

struct NcuOptions {
  std::string program = "ncu";         ///< found on PATH, or a path
  std::filesystem::path scratch;       ///< for what it writes, which is removed; exists
  Limits limits{.cpu_seconds = 600};   ///< of ncu with the program; it runs each kernel several times over
  std::int64_t most_kernels = 20'000;  ///< launches that are looked at; those after them run as they are
  Stop stop = {};                      ///< asked while it runs
};

/// Runs `command` (program and arguments, no shell; it starts in a folder of its own, so paths are absolute) under ncu
/// and tells its kernels (read_ncu_csv says how they are
/// summed up). Its times are not those of a usual run: kernels run one by one, with caches made cold before each, and
/// several times, so all that the command takes is longer by much. The clocks of the device are left as they are.
///
/// An error is one line that says what to do:
/// - not_found: there is no ncu; or it saw no kernel
/// - unsupported: this user may not read the counters (ERR_NVGPUCTRPERM)
/// - bad_input: the command or ncu failed, with what ncu said; what it printed makes no sense
/// - io, interrupted
Result<std::vector<KernelRecord>> profile_kernels(const std::vector<std::string>& command, const NcuOptions& options);

}  // namespace culprit
