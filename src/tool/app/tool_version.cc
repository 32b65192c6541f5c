#include "app/tool_version.h"

namespace culprit {

std::string tool_version() { return CULPRIT_VERSION; }
std::string onnx_version() { return CULPRIT_ONNX_VERSION; }

}  // namespace culprit
