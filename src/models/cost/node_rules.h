#pragma once
// What one run of one node costs, by the rules of cost/rules.

#include "cost/typed_graph.h"

namespace culprit {

/// Floating-point operations of one run of a node without graphs inside (of integers, too); one multiply-add is 2. NaN
/// where the operator has no rule, or a size that the rule needs is not known.
double node_flops(const TypedNode& node);

/// Bytes that one run reads and writes: each distinct input and each output once, as if nothing were cached between
/// nodes. What is picked from a table (Gather, Slice) is read as far as it is picked; `is_view` moves nothing. NaN
/// where a size or type is not known.
double node_moved(const TypedNode& node);

/// Does the node give its first input another shape or name, and no other elements? Runtimes let both share one place.
/// Dropout is one: a profile is of inference.
bool is_view(const onnx::NodeProto& node);

}  // namespace culprit
