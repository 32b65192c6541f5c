#pragma once
// A copy of a model with its weights in a file beside it, so that many graphs around the same weights cost little.

#include <filesystem>

#include "base/error.h"

namespace onnx {
class ModelProto;
}

namespace culprit {

/// Writes the raw bytes of the top graph's initializers to `file` and returns a copy that names it; small ones, and
/// those in typed fields, stay inside. `model` is the same afterwards. The copy must be saved in the folder of `file`.
Result<onnx::ModelProto> with_weights_in_file(onnx::ModelProto& model, const std::filesystem::path& file);

}  // namespace culprit
