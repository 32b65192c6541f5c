#pragma once
// What the linked library says about its passes, and what we know of them besides.

#include <vector>

#include "optimizer/optimizer.h"

namespace culprit {

std::vector<PassInfo> onnx_optimizer_passes();

}  // namespace culprit
