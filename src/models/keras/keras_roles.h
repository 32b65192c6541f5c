#pragma once
// Which weights a layer of Keras has, in the order in which Keras makes and stores them. Private to this room.

#include <optional>
#include <string>
#include <vector>

#include "keras/keras_model.h"

namespace culprit {

struct KerasRole {
  std::string role;   ///< "kernel", "forward/kernel"
  std::string group;  ///< of a .keras, below the layer's own: "vars", "forward_layer/cell/vars"
  bool is_optional = false;
};

/// nullopt: the class is not known.
std::optional<std::vector<KerasRole>> keras_roles(const std::string& class_name, const nlohmann::json& config);

/// "Conv2D" is "conv2d", "PReLU" "p_re_lu": how a .keras names layers.
std::string snake_case_of(const std::string& class_name);

}  // namespace culprit
