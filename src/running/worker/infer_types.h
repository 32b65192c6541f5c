#pragma once
// What ONNX's shape inference says of a model, asked in a fork, for it may crash and hang.

#include <onnx/onnx_pb.h>

#include <string>

#include "worker/supervisor.h"

namespace culprit {

/// The checker's complaint with shape inference (model/model.h), or how the fork ended that asked for it.
std::string inferred_complaint(const onnx::ModelProto& model, Supervisor& supervisor);

}  // namespace culprit
