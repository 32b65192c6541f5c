#pragma once
// The script that makes tokens of texts, which Python runs. Private to this room.

#include <string_view>

namespace culprit {

/// hosts/tokenize_texts.py.
std::string_view tokenize_host_script();

}  // namespace culprit
