#pragma once
// Large tensors of the library's own form: their elements moved in and out, where its import and export would copy
// them.

#include "model/placed_weights.h"

namespace onnx {
struct Graph;
}

namespace culprit {

/// Placed initializers get their elements, which then are no longer in `weights`. Subgraphs included.
void bring_inside(onnx::Graph& graph, Weights& weights);
/// Large initializers that are stored as raw bytes become placed ones. Each is hashed again, for a pass may have
/// changed it where it lies; others are left to the export. The graph is then good for nothing else.
void leave_outside(onnx::Graph& graph, Weights& weights);

}  // namespace culprit
