#pragma once
// What one model costs in memory, and what of the time of loading is optimizing. Processes of their own, for both would
// disturb the measuring of speed.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>

#include "executor/measuring.h"
#include "record/profile.h"

namespace culprit {

struct MemoryResult {
  std::optional<MemoryRecord> memory;  ///< absent where the model failed here
  Failure failure;
};

/// So many samples at most, each in a process that holds no other.
inline constexpr std::size_t most_samples_of_memory = 5;

/// For each sample, or the five in the largest files, one process that holds no other: its size before, the most while
/// it loads, the most while it runs the sample `runs` times, without the bytes of the sample. Of all of them the most.
/// So it does not depend on how many samples there are.
MemoryResult measure_memory(MeasuringBlocks& blocks, const MeasuredModel& model, std::int64_t runs = 2);

/// The part of loading that goes into optimizing, 0 to 1: what loading the model takes longer than loading `as_run`,
/// which is what the runtime made of it, with the optimizations off. The median of three pairs. A part and no seconds,
/// so that what is made of it is never more than the load of other moments of the machine. Absent where one of them
/// fails. `data_folder`: of the external data of `as_run`; "": beside it.
std::optional<double> measure_optimizing(MeasuringBlocks& blocks, const MeasuredModel& model,
                                         const std::filesystem::path& as_run, const std::filesystem::path& data_folder);

}  // namespace culprit
