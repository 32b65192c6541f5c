#pragma once
// How deep JSON of strangers is nested, before it is parsed: a file of brackets alone would take a hundred times its
// size.

#include <string_view>

namespace culprit {

/// Brackets that are open at once, outside of texts. It is right for JSON, and some number for anything else.
int json_depth(std::string_view json);

}  // namespace culprit
