#pragma once
// What goes into the bodies of Loop and Scan, by the names that it has inside.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace onnx {
class GraphProto;
}

namespace culprit {

/// Says from where an input of a body has its value when the body runs for the first time.
struct BodyInput {
  std::string outside;                    ///< the name of the value that the node has
  std::optional<std::int64_t> axis = {};  ///< of a Scan: it is one slice along this axis
  bool is_backward = false;               ///< the last slice, not the first
};

/// The inputs of all bodies of Loop and Scan at any depth, by name inside; the first where two bodies have a name. The
/// number of the turn and the condition of a Loop have no value outside.
std::unordered_map<std::string, BodyInput> body_inputs(const onnx::GraphProto& graph);

}  // namespace culprit
