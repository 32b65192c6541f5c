#pragma once
// Models of any format that Culprit runs, as the rest of the tool knows a model: a file with an identity and inputs and
// outputs.

#include <filesystem>

#include "base/error.h"
#include "model/model.h"
#include "model/model_format.h"

namespace culprit {

/// Loads an ONNX file as load_model does. It makes of all others a Model without `proto`: path, sha256, bytes, and
/// inputs and outputs with the names by which its runner is fed: of TFLite those of the first signature, or of the
/// tensors where there is none; of a SavedModel the keys of its signature "serving_default", or of its only one; of a
/// frozen graph tensors, "x:0"; of a file of Keras layers. The sha256 of a SavedModel is that of all files in its
/// folder. Runs nothing. Errors: those of load_model, of TfliteFile::open, of TensorflowModel, of read_keras_file (but
/// code of strangers is read) and of read_keras_network.
Result<Model> load_any_model(const std::filesystem::path& path);

}  // namespace culprit
