#pragma once
// An ONNX model that was edited, in the form in which users have it: outputs under their names, nothing left behind
// that the edits put out of use. Private to this folder.

#include <onnx/onnx_pb.h>

#include <string>
#include <utility>
#include <vector>

#include "conversion/sides/side.h"

namespace culprit {

struct WholeChanges {
  std::vector<std::pair<std::string, std::string>> outputs;   ///< of the graph, and what is shown in their place
  std::vector<std::pair<std::string, std::string>> replaced;  ///< constants, and what stands in their place
  std::vector<SeenOutput> seen;                               ///< outputs whose declared sizes may be others
  bool moves_shapes = false;                                  ///< more than numbers was edited
};

/// `made`: `given` with edits. Nodes and initializers that only what was edited used go; what nobody used before stays.
/// A constant that took the place of another takes its name, too. Declared types of inner values go where more than
/// numbers was edited.
void finish_whole(onnx::ModelProto& made, const onnx::GraphProto& given, const WholeChanges& changes);

}  // namespace culprit
