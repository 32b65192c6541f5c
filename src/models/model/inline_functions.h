#pragma once
// A model's own functions (ModelProto::functions), whose bodies are hidden from whoever looks at nodes.

#include <onnx/onnx_pb.h>

#include <cstdint>

namespace culprit {

constexpr std::int64_t most_inlined_nodes = 1'000'000;
constexpr int most_inlined_functions = 1'000;

/// Writes the bodies of functions where they are called; values of the graph keep their names. Does nothing, and says
/// so by false, where there is no function, where one leads to itself, where one is of another opset than the model, or
/// where more nodes or functions than the above would have to be written.
bool inline_functions(onnx::ModelProto& model);

}  // namespace culprit
