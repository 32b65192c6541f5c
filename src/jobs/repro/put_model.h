#pragma once
// An ONNX model in the folder of a repro.

#include "base/file.h"
#include "repro/repro_json.h"

namespace culprit {

/// Copies it so that it stands in `to`'s folder by itself, with its external weights.
Result<ReproModel> put_model(const fs::path& from, const fs::path& to);

}  // namespace culprit
