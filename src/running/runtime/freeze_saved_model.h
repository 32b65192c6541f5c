#pragma once
// SavedModels of TensorFlow as single graphs, so that what happens inside can be seen and changed.

#include <cstdint>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/stop.h"

namespace culprit {

struct FreezeOptions {
  bool trusted = false;            ///< its operators may run code and touch files; Python runs some of them to load it
  double cpu_seconds = 300;        ///< what Python may take
  std::uint64_t memory_bytes = 0;  ///< what it may take of that; 0: no limit
  std::filesystem::path scratch;   ///< an existing folder
  Stop stop = {};
};

/// The frozen graph (.pb) of a SavedModel: weights are constants, and calls of functions are what they call; loops
/// stay. What runs is what TensorflowModel::interface says; each output is a node with the name that the signature
/// gives it, unless another node has it. `sha256` is that of all files in the folder (network/model_of_file.h): the
/// graph is made once and kept in the cache folder under it. Errors: unsupported where it may do more than compute and
/// is not trusted, cannot be frozen, or where TensorFlow's Python is not there (with the command that brings it);
/// bad_input; io; interrupted.
Result<std::filesystem::path> freeze_saved_model(const std::filesystem::path& saved_model, const std::string& sha256,
                                                 const FreezeOptions& options);

}  // namespace culprit
