#pragma once
// What a single rewrite did to a graph, in lines that a person can read.

#include <string>
#include <vector>

namespace onnx {
class ModelProto;
class NodeProto;
class TensorProto;
}  // namespace onnx

namespace culprit {

/// Lines as of a patch, in the order of the graphs: "- y = Pad(x, pads) {mode: "constant"}", "+ y = MaxPool(x) {...}",
/// "~ W: float32[8,3,3,3], other values". Nodes that are in both, with the same operator, inputs, outputs and
/// attributes, are left out; of graphs inside nodes that are otherwise the same, the nodes inside are told, behind the
/// name of the node's first output: "- then_branch of y: ...".
struct NodeDiff {
  std::vector<std::string> lines;
  std::size_t more = 0;  ///< lines left out beyond `most`
  std::size_t stay = 0;  ///< of the lines, those of nodes that are in both
};
/// `around`: the node with this first output is told too where it stays, before the rest: "  s = Add(x, zero)".
NodeDiff node_diff(const onnx::ModelProto& before, const onnx::ModelProto& after, std::size_t most = 40,
                   const std::string& around = "");

/// "y, mask = com.microsoft.FusedConv(x, , W) {group: 1, pads: [0, 0, 1, 1]}", at most about 200 characters, printable.
std::string text_of(const onnx::NodeProto& node);
/// "float32[8,3,3,3]"
std::string type_text(const onnx::TensorProto& tensor);

}  // namespace culprit
