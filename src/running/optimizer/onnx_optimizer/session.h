#pragma once
// One model in the library's own form.

#include <memory>

#include "optimizer/optimizer.h"

namespace culprit {

/// Imports as the library's Optimizer::optimize does; throws what the library throws.
std::unique_ptr<OptimizerSession> import_into_onnx_optimizer(const onnx::ModelProto& model);

}  // namespace culprit
