#pragma once
// The file that the runtime writes with profiling on: a JSON array of events of Chrome's trace format, read one event
// after the other, for it can have hundreds of megabytes. It is written by a process that may have died or lied:
// nothing in it is believed.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"

namespace culprit {

/// A tensor that went into or out of a node: {"float": [1, 3, 240, 320]}.
struct TracedShape {
  std::string type;
  std::vector<std::int64_t> dims;
  bool operator==(const TracedShape&) const = default;
};

struct TraceEvent {
  enum class Kind {
    node,   ///< a node ran: "Conv_0_kernel_time"
    graph,  ///< all nodes of a graph ran, or of a body of one: "SequentialExecutor::Execute"
    run,    ///< a run of the session: "model_run"
    other,
  };
  Kind kind = Kind::other;
  std::string name;  ///< of a node, without "_kernel_time"
  std::string op, provider;
  std::int64_t index = -1;                   ///< the node's in its graph; -1: not told
  std::int64_t start = 0;                    ///< microseconds since the session began
  std::int64_t duration = 0;                 ///< microseconds
  std::vector<TracedShape> inputs, outputs;  ///< as far as they are told
};

enum class TraceEnd {
  whole,  ///< the array is closed
  cut,    ///< the file ends before, or has more than `most_events`
};

/// Twice what the runtime writes at most.
constexpr std::int64_t most_trace_events = 2'000'000;

/// Events in the order of the file, in which a node comes behind the nodes of its bodies. ErrorKind::bad_input where
/// the file is no array of events, or an event of a node, graph or run lacks its name or times (or has them of another
/// type, or negative).
Result<TraceEnd> read_trace_events(const std::filesystem::path& file,
                                   const std::function<void(const TraceEvent&)>& take);

}  // namespace culprit
