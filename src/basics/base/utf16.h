#pragma once
// Text as Windows programs save it.

#include <optional>
#include <string>
#include <string_view>

namespace culprit {

/// Does it begin with the mark of UTF-16, in either order of bytes?
bool is_utf16(std::string_view bytes);

/// The text in UTF-8, without the mark. Nothing where the bytes are no such text: an odd count, half a character.
std::optional<std::string> utf8_of_utf16(std::string_view bytes);

}  // namespace culprit
