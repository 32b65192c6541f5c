#pragma once
// Characters of text in UTF-8.

#include <cstddef>
#include <string>
#include <string_view>

namespace culprit {

struct CodePoint {
  char32_t value = 0;
  std::size_t length = 0;  ///< bytes; 0 where the text is not UTF-8
};

/// The first character of `text`, which is not empty. Overlong forms, surrogates and values past U+10FFFF are not UTF-8
/// (RFC 3629).
CodePoint first_code_point(std::string_view text);

/// Is all of it UTF-8?
bool is_utf8(std::string_view text);

/// One more character, which is a value of Unicode and no surrogate.
void append_utf8(std::string& text, char32_t character);

}  // namespace culprit
