#pragma once
// Models of any format, for the commands that take them: compare, diagnose, eval, profile.

#include <filesystem>

#include "base/error.h"
#include "model/model.h"
#include "runtime/freeze_saved_model.h"

namespace culprit {

struct Workshop;

/// What those commands say of MODEL in their help.
inline constexpr const char* any_model =
    "ONNX, TFLite or Keras file, frozen graph (.pb) or SavedModel folder of TensorFlow";

/// load_any_model; and is the library there that runs it? Nothing is loaded of that. Errors: those of load_any_model,
/// and those of find_tflite and find_tensorflow, with the model's name.
Result<Model> load_trained_model(const std::filesystem::path& path);

/// A SavedModel or a file of Keras as its frozen graph, for those who look inside; all others stay as they are. It
/// keeps the path and the hash of what was named. Errors: those of freeze_saved_model and freeze_keras.
Result<Model> as_one_graph(Model model, const FreezeOptions& options);

/// How models are frozen in this workshop. `scratch`: an existing folder.
FreezeOptions freeze_options_in(const Workshop& workshop, const std::filesystem::path& scratch);

/// load_trained_model, and a file of Keras as its frozen graph, because that is what runs. Errors: of both.
Result<Model> load_runnable_model(const std::filesystem::path& path, const FreezeOptions& options);

}  // namespace culprit
