#pragma once
// One block: all its sessions in one moment of one machine. Neighbouring fresh processes differ by 12 to 25 % in speed,
// two sessions of one process by 0.4 to 3.8 % (measured), so sessions of a block are loaded in an order by chance, made
// warm, and then run in turns, in each round on the same sample; what counts of the block is one ratio for each
// session.

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "executor/measuring.h"
#include "record/profile.h"

namespace culprit {

struct BlockOptions {
  double seconds = 0.5;            ///< that a block's turns take, about; never fewer than 6 turns for each session
  std::int64_t most_warm_up = 30;  ///< runs
  double most_warm_up_seconds = 2;
};

/// Samples that a block's sessions take in turn: in one round all the same one, and the round that goes the other way
/// round has that of the round before.
struct SamplesInTurn {
  std::size_t count = 1;
  std::size_t first = 0;
};

/// What one session did in one block.
struct BlockOfModel {
  double load = 0;       ///< seconds
  double first_run = 0;  ///< seconds, of the session's first run of all
  std::string runtime_version;
  std::vector<double> seconds;  ///< of all runs that count, in their order
  double ratio = 1;             ///< to the first session: the median over turns
};

struct BlockResult {
  std::vector<BlockOfModel> models;  ///< in the order of the block's models; only where nothing failed
  std::int64_t rounds = 0;           ///< turns of each
  Failure failure;                   ///< of the first thing that failed, which ended the block
  std::size_t failed = 0;            ///< its model
  FailedAt failed_at = FailedAt::nowhere;
};

/// `block` was opened for `models` models; the first is what the others are held against.
BlockResult run_block(MeasuringBlock& block, std::size_t models, const SamplesInTurn& samples,
                      const BlockOptions& options, Random& random);

/// Runs until the median of the last three is within 5 % of that of the three before.
bool is_warm(const std::vector<double>& seconds);

}  // namespace culprit
