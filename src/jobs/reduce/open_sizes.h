#pragma once
// Declared sizes that a step has made untrue: what a graph says of values is left open where nothing feeds it.

#include <optional>

#include "reduce/reduced_case.h"

namespace culprit {

/// Every declared size becomes an open one.
void open_sizes(onnx::ValueInfoProto& info);

/// In all graphs inside nodes, whatever they declare.
void open_sizes_in_bodies(onnx::GraphProto& graph);

/// The case with the sizes of all inner values and outputs open, and of the inputs of bodies; types and ranks stay, and
/// so do the inputs of the model, which are fed. Nothing where no size was declared.
std::optional<Case> with_open_sizes(const Case& a_case);

}  // namespace culprit
