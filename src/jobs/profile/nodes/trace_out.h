#pragma once
// A trace for Chrome's about:tracing and Perfetto: one run of each entry of a profile, side by side as threads that all
// begin at 0.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "profile/nodes/node_times.h"

namespace culprit {

struct TraceThread {
  std::string name;               ///< of the entry: "extended"
  RuntimeTrace trace;             ///< its shortest run is drawn
  std::vector<MappedNode> nodes;  ///< of the trace
};

/// Written beside and renamed. Names that are not UTF-8 are made so.
Result<void> write_trace(const std::filesystem::path& file, const std::vector<TraceThread>& threads);

}  // namespace culprit
