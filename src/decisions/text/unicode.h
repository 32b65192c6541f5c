#pragma once
// Characters as Python's str methods and regular expressions class them, on which the usual measures of text rest.
// Bytes that are not UTF-8 count as characters of their own, which are no letters.

#include <string>
#include <string_view>
#include <vector>

namespace culprit {

/// Code points; a byte that is not UTF-8 is 0x110000 plus its value.
std::u32string characters_of(std::string_view text);
/// As str.isspace().
bool is_space(char32_t character);
/// A letter, a digit or '_': \w.
bool is_word(char32_t character);
/// As str.lower(), but that a capital sigma at the end of a word becomes the usual small one.
std::u32string lower_text(std::u32string_view text);
/// Pieces between spaces, none of them empty: str.split().
std::vector<std::u32string> split_at_spaces(std::u32string_view text);
/// The text without spaces at both ends: str.strip().
std::u32string_view strip_spaces(std::u32string_view text);

}  // namespace culprit
