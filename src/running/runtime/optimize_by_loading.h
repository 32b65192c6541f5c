#pragma once
// ONNX Runtime as an optimizer: to load a model at a level is to change its graph. Here the runtime is told which of
// its transformers and rewrite rules to leave out, says in its log which of them ran, and saves what came of it.

#include <filesystem>
#include <string>
#include <vector>

#include "base/error.h"
#include "runtime/level.h"

namespace culprit {

inline constexpr std::size_t longest_disabling_entry =
    8192;  ///< characters that the runtime takes in `disabling_entry`

struct LoadToOptimize {
  std::string model;  ///< its bytes; "": it lies in `file`
  Level level = Level::all;
  std::vector<std::string> disabled;   ///< registered names; the runtime ignores those that it does not know
  std::filesystem::path save_to = {};  ///< where the graph is written as it will run; "": nowhere
  std::filesystem::path file = {};
};

/// A transformer that ran. Rewrite rules are not in the log; only the transformers that contain them are.
struct TransformerRun {
  std::string name;
  bool modified = false;  ///< in any of its turns
  bool operator==(const TransformerRun&) const = default;
};

/// Each name once, in the order in which they first ran. For a process that opens no Runner and nothing else of the
/// library: its log is one for the whole process. ErrorKind::bad_input where the runtime refuses the model, in its own
/// words, and where the names are longer than it takes. `ran_until_refused`, if any, gets what ran before that.
Result<std::vector<TransformerRun>> optimize_by_loading(const std::filesystem::path& library,
                                                        const LoadToOptimize& what,
                                                        std::vector<TransformerRun>* ran_until_refused = nullptr);

/// Loads the library and starts it, so that forks of this process need not; what goes wrong they will meet themselves.
void prepare_to_optimize(const std::filesystem::path& library);

/// The version of the library, "1.31.1". It is loaded. Errors as of open_onnxruntime.
Result<std::string> version_of_onnxruntime(const std::filesystem::path& library);

}  // namespace culprit
