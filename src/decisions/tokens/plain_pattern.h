#pragma once
// What a Replace of a tokenizer.json looks for, where that is a plain text.

#include <nlohmann/json.hpp>
#include <string>

#include "base/error.h"

namespace culprit {

struct PlainPattern {
  std::string what, by;
};

/// Of {"pattern": {"String": ...}, "content": ...}, or {"Regex": ...} without operators; an Error names any other.
Result<PlainPattern> plain_pattern_of(const nlohmann::json& replace);

}  // namespace culprit
