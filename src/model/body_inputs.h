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

/// Where an input of a body has its value from when the body runs for the first time.
struct BodyInput {
  std::string outside;                    ///< the name of the value that the node has
  std::optional<std::int64_t> axis = {};  ///< of a Scan: it is one slice along this axis
  bool is_backward = false;               ///< the last slice, not the first
};

/// Of all bodies of Loop and Scan at any depth, by name inside; of a name that two bodies have, the first. The number
/// of the turn and the condition of a Loop have no value outside.
std::unordered_map<std::string, BodyInput> body_inputs(const onnx::GraphProto& graph);

}  // namespace culprit
