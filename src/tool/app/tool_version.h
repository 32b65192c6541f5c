#pragma once
// Which culprit is this?

#include <string>

namespace culprit {

std::string tool_version();  ///< "0.1.0"
std::string onnx_version();  ///< of the ONNX that ONNX Optimizer carries

}  // namespace culprit
