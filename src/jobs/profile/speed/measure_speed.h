#pragma once
// How fast are these models against the first of them? Blocks (run_block.h) are made until every verdict is sure, or
// there are as many as were asked for, or the time is spent.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/stop.h"
#include "executor/measuring.h"
#include "profile/speed/run_block.h"
#include "record/profile.h"

namespace culprit {

/// What was measured of one model.
struct Speed {
  std::vector<double> loads;          ///< seconds, of each
  std::vector<double> first_runs;     ///< seconds, of each session the first run
  std::vector<BlockSamples> samples;  ///< of all runs that count
  std::vector<double> block_ratios;   ///< to the first model
  RatioRecord ratio;
  SpeedVerdict verdict = SpeedVerdict::not_measured;
  Failure failure = {};
  FailedAt failed_at = FailedAt::nowhere;
  std::string runtime_version = {};
};

/// How far it is.
struct SpeedSoFar {
  std::int64_t blocks = 0;
  std::size_t unsure = 0;            ///< models that are still open
  double seconds = 0;                ///< of all blocks together
  const std::vector<Speed>& models;  ///< ratios and verdicts are of the last look
};

struct SpeedOptions {
  std::int64_t blocks = 20;  ///< of each model, and one look at the end
  bool until_sure = false;   ///< instead: a look now and then (statistics/looks.h), and what is sure runs no more
  std::size_t at_once = 6;   ///< sessions in a block; more models are measured by turns, each with the first
  std::uint64_t seed = 0;
  BlockOptions block;
  Stop is_time_up = {};                                         ///< then what there is is looked at
  std::function<void(const SpeedSoFar& so_far)> progress = {};  ///< after each block
};

/// The seconds of all blocks.
std::vector<double> all_seconds(const std::vector<BlockSamples>& samples);

struct SpeedReport {
  std::vector<Speed> models;
  std::int64_t blocks = 0, looks = 0;
  bool is_interrupted = false;
  bool is_out_of_time = false;  ///< `is_time_up` ended it, and not all that was asked for was done
  double seconds = 0;           ///< that all blocks took
  /// Blocks that are missing then, about; absent: no number of them is known to do, for a ratio lies at an edge.
  std::optional<std::int64_t> blocks_missing = 0;
};

/// A model fails that failed in two blocks, of which the second was its own. If the first does, nothing can be said of
/// the others' ratios: they stay as they are. Errors: the machine's (io).
Result<SpeedReport> measure_speed(MeasuringBlocks& blocks, const std::vector<MeasuredModel>& models,
                                  const SpeedOptions& options);

}  // namespace culprit
