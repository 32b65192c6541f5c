#pragma once
// Code of strangers in a configuration: what Keras would run when it loads or calls the model. Private to this room.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "base/error.h"

namespace culprit {

/// Lambdas, classes and functions that are not Keras' own, and layers that load other programs, anywhere in the
/// configuration of a model. The error names the layer.
Result<void> refuse_foreign_code(const nlohmann::json& model);

/// Is it the name of a layer of Keras?
bool is_layer_of_keras(const std::string& class_name);
/// Is it one of the functions of Keras 3 (keras.ops) that models often have?
bool is_function_of_keras(const std::string& class_name);
/// Is it an activation of Keras?
bool is_activation_of_keras(const std::string& name);

}  // namespace culprit
