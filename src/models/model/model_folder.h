#pragma once
// A folder as a model: what one shares to show a model at work, `model.onnx` with `culprit.yaml` and data beside it.

#include <filesystem>

#include "base/error.h"

namespace culprit {

/// `named / "model.onnx"` where `named` is a folder that holds such a file; else `named` itself.
std::filesystem::path model_file(const std::filesystem::path& named);

/// Says that a folder has no model.onnx, with the models that lie in it (not below it).
Error no_model_in(const std::filesystem::path& folder);

}  // namespace culprit
