#pragma once
// The configuration of a model, in the spellings of Keras 2 and 3. Private to this room.

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"
#include "keras/keras_model.h"

namespace culprit {

/// Errors: bad_input (no JSON, or nested deeper than any model is).
Result<nlohmann::json> parse_keras_json(const std::string& text);

/// Layers without weights. Errors: as of read_keras_file, without the name of the file.
Result<KerasModel> model_of_config(const nlohmann::json& model, const KerasOptions& options);

}  // namespace culprit
