#pragma once
// What `ncu --csv --page raw` prints: a line of names, a line of units, and a line for each kernel that was launched.

#include <string_view>
#include <vector>

#include "base/error.h"
#include "record/profile.h"

namespace culprit {

/// The counters of the hardware that are asked for, by the names that Nsight Compute gives them.
/// https://docs.nvidia.com/nsight-compute/ProfilingGuide/
namespace ncu_metric {
constexpr const char* time = "gpu__time_duration.sum";
constexpr const char* sm = "sm__throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* memory = "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed";
constexpr const char* dram = "dram__throughput.avg.pct_of_peak_sustained_elapsed";  // where `memory` is not told
constexpr const char* occupancy = "sm__warps_active.avg.pct_of_peak_sustained_active";
constexpr const char* block_size = "launch__block_size";
constexpr const char* grid_size = "launch__grid_size";
}  // namespace ncu_metric

/// The kernels by name, the one that took most time first. `seconds` is of all calls together, sizes are means over
/// the calls, and percentages are means in which a call counts by its time. What is no number ("n/a") is left out; 0
/// where nothing was told at all.
///
/// Lines before the line of names are passed over: ncu's own ("==PROF== ...") and those of the program. After it,
/// nothing is believed: ErrorKind::bad_input names the line where it is cut off or has another number of columns.
/// ErrorKind::not_found where there is no line of names: no kernel was launched.
Result<std::vector<KernelRecord>> read_ncu_csv(std::string_view text);

}  // namespace culprit
