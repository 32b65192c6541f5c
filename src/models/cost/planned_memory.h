#pragma once
// The least memory that the values of a graph need that are alive at once, from the graph alone.

#include <cstdint>
#include <optional>

#include "cost/typed_graph.h"

namespace culprit {

/// Bytes.
struct PlannedMemory {
  std::uint64_t values = 0;              ///< made by nodes, where most is alive at once
  std::optional<std::uint64_t> inputs;   ///< that are fed: theirs whose the run is, and not in `values`
  std::optional<std::uint64_t> weights;  ///< initializers of the main graph: not in `values`, nor are Constant nodes'
  bool operator==(const PlannedMemory&) const = default;
};

/// Nodes run in the graph's order. A value is alive from the node that makes it to the last one that takes it (bodies
/// included), an output to the end; what a node takes and what it makes are alive together, so nothing is made in
/// place. A view (`is_view`) shares the place of what it shows; one that is an output and shows an input or a weight is
/// a copy. What is made inside an If counts while it runs, of two branches the larger one; of a Loop and a Scan one
/// turn with what goes into it. Nothing where the size of one value is not known: sequences, texts, what hangs on data.
std::optional<PlannedMemory> planned_memory(const TypedGraph& graph);

}  // namespace culprit
