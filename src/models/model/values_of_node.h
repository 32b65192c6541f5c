#pragma once
// The values that a node needs: its inputs, and what the graphs inside it take from around them.

#include <string_view>
#include <vector>

namespace onnx {
class NodeProto;
}

namespace culprit {

/// The names of its inputs in their places ("" where one is left out), then those that its subgraphs use and neither
/// make nor take as inputs, each once, in the order of use. Views into the node.
std::vector<std::string_view> used_values(const onnx::NodeProto& node);

}  // namespace culprit
