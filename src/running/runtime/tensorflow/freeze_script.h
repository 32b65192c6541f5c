#pragma once
// The scripts that make one graph of a model, which Python runs. Private to this room.

#include <string_view>

namespace culprit::tf {

/// hosts/freeze_saved_model.py.
std::string_view freeze_script();
/// hosts/freeze_keras.py.
std::string_view freeze_keras_script();

}  // namespace culprit::tf
