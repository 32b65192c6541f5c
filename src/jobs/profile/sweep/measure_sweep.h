#pragma once
// --sweep: how long a run takes, and how many samples a second there are, at each of these batches and numbers of
// threads. Settings are measured as rows are (speed/run_block.h): several sessions in one process, which take turns in
// each round.

#include <cstdint>
#include <string>
#include <vector>

#include "base/error.h"
#include "executor/measuring.h"
#include "profile/speed/measure_speed.h"
#include "record/profile.h"

namespace culprit {

/// One row at one setting.
struct SweptSetting {
  std::string entry;  ///< its name
  std::int64_t batch = 1;
  MeasuredModel measured;  ///< with its threads, and with samples of so many
};

/// So many blocks at most: nothing is compared that a verdict rests on.
inline constexpr std::int64_t most_sweep_blocks = 5;

struct SweepResult {
  std::vector<SweepPoint> points;  ///< in the order of the settings
  std::int64_t blocks = 0;
  bool is_interrupted = false, is_out_of_time = false;
};

/// `options.blocks` of each setting. One that fails is a point that says so, and the others are measured all the same.
/// Errors: the machine's (io).
Result<SweepResult> measure_sweep(MeasuringBlocks& blocks, const std::vector<SweptSetting>& settings,
                                  const SpeedOptions& options);

}  // namespace culprit
