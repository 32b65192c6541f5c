#pragma once
// An ONNX model that was edited, in the form in which users have it: outputs under their names, nothing left behind
// that the edits put out of use. Private to this folder.

#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

namespace culprit {

struct WholeNames {
  std::vector<std::pair<std::string, std::string>> outputs;   ///< of the graph, and what is shown in their place
  std::vector<std::pair<std::string, std::string>> replaced;  ///< constants, and what stands in their place
};

/// `made`: `given` with edits. Nodes and initializers that only what was edited used go; what nobody used before stays.
/// A constant that took the place of another takes its name, too. Declared types of inner values go where more than
/// numbers was edited (`moves_shapes`), and those of the outputs are inferred.
void finish_whole(onnx::ModelProto& made, const onnx::GraphProto& given, const WholeNames& names, bool moves_shapes);

}  // namespace culprit
