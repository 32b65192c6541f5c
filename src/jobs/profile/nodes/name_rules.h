#pragma once
// The names that ONNX Runtime gives to what it makes, and what they say (standing_values.h lists them).

#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// The names that a value of the original may have had, the likeliest first; its own name is the first. `node` is the
/// name of the node that makes it, "" where it makes several values.
std::vector<std::string> names_before(std::string_view value, std::string_view node);

}  // namespace culprit
