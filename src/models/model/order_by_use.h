#pragma once
// The order of the nodes of a graph: one for all orders that it may have come in, and the nearest one that ONNX allows.

#include <onnx/onnx_pb.h>

#include "record/warning.h"

namespace culprit {

/// Puts nodes behind those whose values they use, bodies included, as a walk from the graph's outputs meets them, input
/// by input; what leads to no output comes last, in the order that it has. So two graphs that differ in the order of
/// their nodes alone become the same. A graph whose nodes go round in a circle is left as it is. Bodies are ordered,
/// too.
void order_by_use(onnx::GraphProto& graph);

/// How many nodes, in bodies too, stand in front of one whose value they use: 0 in a model as ONNX demands it.
int nodes_too_early(const onnx::GraphProto& graph);

/// Puts nodes that come too late in front of the first that uses them, and leaves all others in their order; bodies are
/// sorted, too. A graph whose nodes go round in a circle is left as it is.
void sort_by_use(onnx::GraphProto& graph);

/// The warning `not_sorted`: so many nodes stood too early in what a program made, or in a file that was given.
Warning not_sorted_warning(int nodes);

}  // namespace culprit
