#pragma once
// How long each node took, from the runtime's own profile (`SessionOptions::profile_to`).
//
// An If, Loop or Scan takes as long as its body, whose nodes are in the profile as well: of such a node only what its
// bodies' nodes did not take counts as its own, so that the sum of all nodes is what the nodes of the top graph took.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "profile/nodes/trace_events.h"

namespace culprit {

/// A node that ran, in its graph. Bodies have nodes of the same names and indexes: `outer` tells them apart.
struct TracedNode {
  std::string name, op, provider;
  std::int64_t index = -1;  ///< in the runtime's graph: neither a place in the file nor in the order of running
  int outer = -1;           ///< number of the node that has it in its body; -1: it is in the top graph
  double seconds = 0;       ///< own time: the median over runs of all its calls in a run; 0 in a run without any
  std::int64_t calls = 0;   ///< in all runs
  std::vector<TracedShape> inputs, outputs;  ///< of the first call
};

/// One call, for pictures (trace_out.h).
struct TracedCall {
  int node = 0;                          ///< number into RuntimeTrace::nodes
  std::int64_t start = 0, duration = 0;  ///< microseconds, of the run; with the time of its body
};

struct RuntimeTrace {
  std::vector<TracedNode> nodes;   ///< in the order in which they first ran; a node with a body before its body
  std::int64_t runs = 0;           ///< that were counted
  double run_seconds = 0;          ///< the median over runs of the whole run
  double left_out_seconds = 0;     ///< the median over runs of what the run took beyond its nodes
  std::vector<TracedCall> calls;   ///< of the shortest run, as it was the least disturbed
  std::int64_t call_run_time = 0;  ///< microseconds that it took
  bool is_cut = false;             ///< later runs are missing: the file is cut, or the runtime wrote no more events
};

/// Leaves the first `warm_up` runs out, and of those behind them the ones for which `keep` has false; what it does not
/// reach is kept. A run that is not complete does not count. ErrorKind::bad_input where no run is
/// left, and as of read_trace_events.
Result<RuntimeTrace> read_runtime_trace(const std::filesystem::path& file, std::int64_t warm_up,
                                        const std::vector<bool>& keep = {});

}  // namespace culprit
