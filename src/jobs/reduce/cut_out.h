#pragma once
// A part of a model as a model of its own: some of its nodes, fed with what was captured where values cross into them.

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "reduce/reduced_case.h"

namespace culprit {

/// Names that a node takes from around it: its inputs, and what the graphs inside it use and do not make.
std::vector<std::string> used_by(const onnx::NodeProto& node);

/// A Constant makes a value out of nothing: it goes with whatever uses it.
bool is_constant(const onnx::NodeProto& node);

/// A tensor type with this shape, of sizes that are known.
onnx::TypeProto type_of(const Tensor& tensor);

/// What stands in for values of nodes that are left out.
enum class StandIn {
  input,        ///< an input of the model, fed with the captured value
  initializer,  ///< the captured value as a constant, of a single sample only; left-out nodes ask for no outputs then
};

/// The case with the nodes for which `kept` is true, by number in the top graph, in their order; Constants that they
/// use are kept as well. Inputs: those of the model that are used, and what stands in for values of left-out nodes.
/// Outputs: those of the model that are still made, and values that left-out nodes used; where there are none, what is
/// made and not used. Initializers, defaults and value_info of what is left. Nothing where no node is kept, or where a
/// value that crosses is not known: captured, or (for an output) declared as a tensor.
std::optional<Case> cut(const View& view, const std::vector<bool>& kept, StandIn stand_in = StandIn::input);

/// Removes nodes whose outputs nobody uses, and then inputs, initializers and value_info that nobody uses; of the
/// samples what feeds no input any more. For models whose outputs or nodes were changed.
void sweep(onnx::ModelProto& model, std::vector<Inputs>& samples);

/// Values that cross the cuts of `cut`: made by nodes of the top graph and used by others. For Delta::wants.
std::vector<std::string> inner_edges(const onnx::GraphProto& graph);

}  // namespace culprit
