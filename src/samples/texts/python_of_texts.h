#pragma once
// The Python that has packages for texts, and the scripts that it runs. Private to this room.

#include <string>
#include <string_view>

#include "base/error.h"

namespace culprit {

inline constexpr const char* way_to_text_python = "scripts/setup text brings one; CULPRIT_TEXT_PYTHON names another";

/// There is no such program.
Error no_text_python(const std::string& python);
/// It is there, and lacks a package.
Error package_lacks(const std::string& python, const std::string& package);

/// hosts/tokenize_texts.py, which makes tokens of texts.
std::string_view tokenize_host_script();
/// hosts/load_texts.py, which writes the rows of data sets.
std::string_view load_host_script();

}  // namespace culprit
