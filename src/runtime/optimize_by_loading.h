#pragma once
// ONNX Runtime as an optimizer: to load a model at a level is to change its graph. Here the runtime is told which of
// its transformers and rewrite rules to leave out, says in its log which of them ran, and saves what came of it.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "runtime/runner.h"

namespace culprit {

struct LoadToOptimize {
  std::string model;  ///< its bytes
  Level level = Level::all;
  std::vector<std::string> disabled;   ///< registered names; the runtime ignores those that it does not know
  std::filesystem::path save_to = {};  ///< where the graph is written as it will run; "": nowhere
};

/// A transformer that ran. Rewrite rules are not in the log; only the transformers that contain them are.
struct TransformerRun {
  std::string name;
  bool modified = false;  ///< in any of its turns
  bool operator==(const TransformerRun&) const = default;
};

/// Each name once, in the order in which they first ran. For a process that opens no Runner and nothing else of the
/// library: its log is one for the whole process. ErrorKind::bad_input where the runtime refuses the model, in its own
/// words; ErrorKind::usage where the names are longer than the runtime takes (8,192 characters).
Result<std::vector<TransformerRun>> optimize_by_loading(const std::filesystem::path& library,
                                                        const LoadToOptimize& what);

/// The version of the library, "1.31.1". It is loaded. Errors as of open_onnxruntime.
Result<std::string> version_of_onnxruntime(const std::filesystem::path& library);

}  // namespace culprit
