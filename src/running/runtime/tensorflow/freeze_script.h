#pragma once

#include <string_view>

namespace culprit::tf {

/// hosts/freeze_saved_model.py.
std::string_view freeze_script();

}  // namespace culprit::tf
