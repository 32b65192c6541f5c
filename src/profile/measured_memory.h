#pragma once
// What one model costs in memory, and what of the time of loading is optimizing. Processes of their own, for both would
// disturb the measuring of speed.

#include <filesystem>
#include <optional>

#include "executor/measuring.h"
#include "record/profile.h"

namespace culprit {

struct MemoryResult {
  std::optional<MemoryRecord> memory;  ///< absent where the model failed here
  Failure failure;
};

/// One process: its size before, the most while it loads, the most while it runs each sample `runs` times.
MemoryResult measure_memory(MeasuringBlocks& blocks, const MeasuredModel& model, std::int64_t runs = 2);

/// Seconds of loading the model less those of loading `as_run`, which is what the runtime made of it, with the
/// optimizations off: median of three pairs, never below 0. Absent where one of them fails.
std::optional<double> measure_optimizing(MeasuringBlocks& blocks, const MeasuredModel& model,
                                         const std::filesystem::path& as_run);

}  // namespace culprit
