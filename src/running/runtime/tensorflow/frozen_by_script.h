#pragma once
// Graphs that Python makes of a model once, and that the cache folder keeps. Private to this room.

#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/freeze_saved_model.h"

namespace culprit::tf {

struct FreezeScript {
  const char* name;            ///< of its file: "freeze_keras.py"
  std::string_view text;       ///< it is given the model, and the graph's file; then what follows
  bool makes_list = false;     ///< the file of a list, which lies beside the graph: "<name>.json"
  const char* last_word = "";  ///< nothing where it is ""
  const char* way_out = "";    ///< the hint where it fails
};

/// The frozen graph (.pb) of a model with this hash, kept under that, the script and the versions of the packages.
/// Errors: those of freeze_saved_model, but for trust.
Result<std::filesystem::path> frozen_by_script(const std::filesystem::path& model, const std::string& sha256,
                                               const FreezeScript& script, const FreezeOptions& options);

}  // namespace culprit::tf
