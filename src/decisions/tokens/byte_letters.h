#pragma once
// Byte-level tokens spell each byte with a letter that can be seen, as GPT-2 does: "Ġ" is a space.

#include <optional>
#include <string>
#include <string_view>

namespace culprit {

/// The letters of all bytes of `text`, in UTF-8.
std::string letters_of_bytes(std::string_view text);
/// The bytes that the letters of a token stand for. Absent where a character is no such letter.
std::optional<std::string> bytes_of_letters(std::string_view token);

/// In UTF-8, whatever the bytes are. What is no character becomes U+FFFD: one for each start of a character that breaks
/// off, and for each byte that starts none (Unicode, "substitution of maximal subparts"; from_utf8_lossy of Rust).
std::string lossy_utf8(std::string_view bytes);
/// U+FFFD
constexpr std::string_view broken_character = "\xEF\xBF\xBD";

}  // namespace culprit
