#include "base/shell_words.h"

#include <algorithm>
#include <cctype>

#include "base/text.h"

namespace culprit {
namespace {

/// $'...': the one way of quoting in which control characters need not stand as they are, and so cannot steer a
/// terminal.
std::string escaped_for_shell(std::string_view word) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text = "$'";
  for (const char c : word) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F)
      text += {'\\', 'x', digits[byte >> 4], digits[byte & 0xF]};
    else if (c == '\'' || c == '\\')
      text += {'\\', c};
    else
      text += c;
  }
  return text + "'";
}

}  // namespace

bool needs_quotes(std::string_view word) {
  return word.empty() || !std::all_of(word.begin(), word.end(), [](char c) {
           return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
                  std::string_view("_-./=,:+@%").find(c) != std::string_view::npos;
         });
}

std::string shell_quoted(std::string_view word) {
  if (printable(word, word.size() + 1) != word) return escaped_for_shell(word);
  if (!needs_quotes(word)) return std::string(word);
  return quoted_for_shell(word);
}

}  // namespace culprit
