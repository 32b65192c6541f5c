#pragma once
// Finds where the libraries of runtimes are on this machine.

#include <filesystem>
#include <map>
#include <string>

#include "base/error.h"
#include "model/model_format.h"
#include "runtime/runner_kind.h"

namespace culprit {

/// Who said where ONNX Runtime is, in the order in which they are asked.
enum class RuntimeSource { argument, environment, package_beside, cache, system };

struct FoundRuntime {
  std::filesystem::path library;
  RuntimeSource source{};
};

/// The library a user means by `--runtime`: a file, a version in the cache folder, or "" or "default" for
/// CULPRIT_RUNTIME, then the Python package onnxruntime where this program lies in a package beside it, then the
/// cache's default, then the system's. The error names every place that was looked at and the command that brings a
/// version.
Result<FoundRuntime> look_for_onnxruntime(const std::string& path_or_version);

/// The library that `look_for_onnxruntime` finds, without its source.
Result<std::filesystem::path> find_onnxruntime(const std::string& path_or_version);

/// LiteRT's library: what CULPRIT_TFLITE names, or the one in the cache folder. The error names the command that brings
/// it.
Result<std::filesystem::path> find_tflite();

/// TensorFlow's library: what CULPRIT_TENSORFLOW names, or the one in the cache folder.
Result<std::filesystem::path> find_tensorflow();

/// The interpreter of a Python with TensorFlow and Keras: what CULPRIT_KERAS names, or the one in the cache folder.
Result<std::filesystem::path> find_keras();

/// By the format of a model, who runs it, or why nobody does.
using RunnersByFormat = std::map<ModelFormat, Result<RunnerSpec>>;

/// Who runs all formats but ONNX, from the two functions above. Nothing is loaded.
RunnersByFormat find_other_runners();

/// Who runs this file: `onnx`, or the one of its format. Errors: what `others` says, or unsupported where it says
/// nothing.
Result<RunnerSpec> runner_for(const std::filesystem::path& model, const RunnerSpec& onnx,
                              const RunnersByFormat& others);

}  // namespace culprit
