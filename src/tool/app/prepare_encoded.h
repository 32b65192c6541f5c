#pragma once
// culprit data prepare: texts become tokens, and if an encoder is named, it reads them, too.

#include <filesystem>
#include <functional>

#include "app/workers.h"
#include "base/error.h"
#include "base/progress.h"
#include "texts/prepare_texts.h"

namespace culprit {

struct PrepareRequest {
  std::filesystem::path texts;
  TextPreparation how;
  std::filesystem::path encoder = {};  ///< an ONNX file; "": none
  std::filesystem::path to;
};

/// prepare_texts; an encoder then reads what was prepared (evaluate/encode_texts.h), in processes of its own. Errors:
/// of both; no such model, or no ONNX.
Result<PreparedOnce> prepare_encoded(const PrepareRequest& request, PrepareTools tools, Workers& workers,
                                     const Progress& progress);

}  // namespace culprit
