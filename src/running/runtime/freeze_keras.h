#pragma once
// Models of Keras as single graphs of TensorFlow, so that they run, and what happens inside can be seen, without
// Python.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "runtime/freeze_saved_model.h"

namespace culprit {

/// The frozen graph (.pb) of a .keras or .h5, made by Keras itself: its inputs are called as the model's, its outputs
/// as the layers that give them, and it is what the model computes when it is not trained. Beside it lies a list of the
/// tensors that hold what layers give (values_of_keras; network/keras/keras_graph.h reads it). `sha256` is that of the
/// file: the graph is made once and kept in the cache folder under it and the versions of the packages. Errors: those
/// of read_keras_file, so code of strangers is refused before Python starts, unless it is trusted; and those of
/// freeze_saved_model.
Result<std::filesystem::path> freeze_keras(const std::filesystem::path& model, const std::string& sha256,
                                           const FreezeOptions& options);

/// The list that lies beside a graph that freeze_keras made.
std::filesystem::path values_of_keras(std::filesystem::path frozen);

}  // namespace culprit
