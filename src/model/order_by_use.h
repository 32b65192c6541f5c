#pragma once
// One order of the nodes of a graph, whichever of its orders it came in.

#include <onnx/onnx_pb.h>

namespace culprit {

/// Puts nodes behind those whose values they use, bodies included, as a walk from the graph's outputs meets them, input
/// by input; what leads to no output comes last, in the order that it has. So two graphs that differ in the order of
/// their nodes alone become the same. A graph whose nodes go round in a circle is left as it is. Bodies are ordered,
/// too.
void order_by_use(onnx::GraphProto& graph);

}  // namespace culprit
