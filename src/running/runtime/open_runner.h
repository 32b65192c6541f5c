#pragma once
// Runners, opened from the libraries of their runtimes.

#include <filesystem>
#include <memory>

#include "base/error.h"
#include "runtime/runner.h"
#include "runtime/runner_kind.h"

namespace culprit {

/// ONNX Runtime from a shared library of any version from 1.19. One library per process: its C++ API table is global,
/// so another library is refused. Sessions run sequentially, with `threads` intra-op and one inter-op thread, and log
/// errors only.
Result<std::unique_ptr<Runner>> open_onnxruntime(const std::filesystem::path& library);

/// TFLite models by LiteRT (libLiteRt.so of the Python package ai-edge-litert 2.x). With optimizations off TFLite's own
/// kernels compute every operator, else XNNPACK does what it knows. Of several signatures the first runs, and inputs
/// and outputs have the names that it gives them. A library of another version is refused: before anything else a known
/// model is run, so this belongs in a worker.
Result<std::unique_ptr<Runner>> open_tflite(const std::filesystem::path& library);

/// Frozen graphs (.pb) and SavedModels (folders) of TensorFlow by its C functions (libtensorflow_cc.so.2 of the Python
/// package tensorflow 2.x). Inputs and outputs of a SavedModel have the names of its signature for serving; those of a
/// graph are tensors, "x:0", of its Placeholders and of the nodes that nobody uses. With optimizations off no graph is
/// rewritten and no constant folded, but where a function of a SavedModel brings options of its own. Kernels are those
/// without oneDNN, at every level. Before anything else a known graph is run, so this belongs in a worker.
Result<std::unique_ptr<Runner>> open_tensorflow(const std::filesystem::path& library);

/// The runner of that kind. Errors: those of its own function; internal: there is no such kind.
Result<std::unique_ptr<Runner>> open_runner(const RunnerSpec& spec);

}  // namespace culprit
