#pragma once
// How long each node of one row takes: a run of its own with the runtime's profile on, never used for timing.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cost/node_costs.h"
#include "executor/measuring.h"
#include "model/model.h"
#include "profile/nodes/trace_out.h"
#include "record/profile.h"

namespace culprit {

struct NodesToMeasure {
  const Model& given;                  ///< whose nodes the times are told of
  MeasuredModel measured;              ///< the row; a profile is added
  std::filesystem::path as_run;        ///< the graph that runs, as the runtime saved it; "": the given one
  std::filesystem::path data_folder;   ///< of the external data of `as_run`; "": beside it
  std::filesystem::path folder;        ///< for the trace; exists
  double seconds_of_run = 0;           ///< about; tells how often it runs: 2 seconds, 5 to 50 times
  const std::vector<NodeCost>& costs;  ///< of that graph (GraphNumbers::nodes)
};

struct MeasuredNodes {
  NodeTimes times;
  TraceThread thread;  ///< for the picture; its name is the caller's
};

/// Counts the runs with those that only make it warm.
std::int64_t traced_runs(double seconds_of_run);

/// Runs that waited for a CPU do not count (nodes/quiet_runs.h). Where fewer than 5 did not wait, it runs up to four
/// times as often. Errors: interrupted, io; bad_input where it does not run, or what the runtime wrote makes no sense.
Result<MeasuredNodes> measure_nodes(MeasuringBlocks& blocks, const NodesToMeasure& what);

}  // namespace culprit
