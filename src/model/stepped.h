#pragma once
// Outputs of floats whose values come off a jump: they stand still where the inputs move a little, or flip by a step.

#include <set>
#include <string>

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Outputs that depend on the model's inputs through jumps only: Round, Floor, Ceil, Sign, Hardmax, comparisons, ArgMax
/// and the like, QuantizeLinear, a Cast from floats to anything else. Between the jump and the output stand operators
/// that only move elements, or combine few of them one by one (Mul, Add, Where, Clip, Cast, ...) with each other and
/// with constants; Gather by such an index in a constant counts. Not behind a sum over many elements: what a step does
/// there is small, and a floor tells it. Nor behind an operator with a subgraph, or one that is not known here. The
/// types of the outputs are not looked at.
std::set<std::string> stepped_outputs(const onnx::ModelProto& model);

}  // namespace culprit
