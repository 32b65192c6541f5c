#pragma once
// New names for values, wherever they are used.

#include <onnx/onnx_pb.h>

#include <string>
#include <unordered_map>

namespace culprit {

using NewNames = std::unordered_map<std::string, std::string>;  ///< by the old one

/// In the graph: inputs, outputs, declared types, stored tensors, what nodes use and make; and in bodies, which use
/// values of the graphs around them.
void rename_values(onnx::GraphProto& graph, const NewNames& names);

}  // namespace culprit
