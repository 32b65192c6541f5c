#pragma once
// Which outputs of a graph its values lead to.

#include <set>
#include <string>

namespace onnx {
class GraphProto;
}

namespace culprit {

/// Values of the top graph from which a way leads to one of these outputs, and to no other output.
std::set<std::string> values_that_lead_only_to(const onnx::GraphProto& graph, const std::set<std::string>& outputs);

/// Outputs that no input of the graph has a part in but by its shape: the same whatever is fed.
std::set<std::string> constant_outputs(const onnx::GraphProto& graph);

}  // namespace culprit
