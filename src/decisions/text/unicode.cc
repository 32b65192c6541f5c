#include "text/unicode.h"

#include <algorithm>

#include "base/utf8.h"
#include "text/unicode_ranges.h"

namespace culprit {
namespace {

constexpr char32_t no_character = 0x110000;

/// The range that `character` lies in, or null.
template <class Range>
const Range* range_with(std::span<const Range> ranges, char32_t character) {
  const auto after = std::ranges::upper_bound(ranges, character, {}, &Range::first);
  if (after == ranges.begin()) return nullptr;
  const Range& before = *std::prev(after);
  return character <= before.last ? &before : nullptr;
}

char32_t lower(char32_t character) {
  const LowerRange* range = range_with(lower_ranges(), character);
  if (range == nullptr || (character - range->first) % range->step != 0) return character;
  return static_cast<char32_t>(static_cast<int>(character) + range->distance);
}

}  // namespace

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  characters.reserve(text.size());
  while (!text.empty()) {
    const CodePoint point = first_code_point(text);
    characters += point.length == 0 ? no_character + static_cast<unsigned char>(text.front()) : point.value;
    text.remove_prefix(std::max<std::size_t>(point.length, 1));
  }
  return characters;
}

bool is_space(char32_t character) {
  constexpr std::u32string_view far = U"\u0085\u00a0\u1680\u2028\u2029\u202f\u205f\u3000";
  return character == U' ' || (character >= 0x9 && character <= 0xd) || (character >= 0x1c && character <= 0x1f) ||
         (character >= 0x2000 && character <= 0x200a) || far.find(character) != std::u32string_view::npos;
}

bool is_word(char32_t character) { return character == U'_' || range_with(word_ranges(), character) != nullptr; }

std::u32string lower_text(std::u32string_view text) {
  constexpr char32_t dotted_capital_i = 0x130;  // the only one that becomes two
  std::u32string lowered;
  lowered.reserve(text.size());
  for (const char32_t character : text) {
    if (character == dotted_capital_i)
      lowered += U"i\u0307";
    else
      lowered += lower(character);
  }
  return lowered;
}

std::vector<std::u32string> split_at_spaces(std::u32string_view text) {
  std::vector<std::u32string> pieces;
  auto begin = std::ranges::find_if_not(text, is_space);
  while (begin != text.end()) {
    const auto end = std::find_if(begin, text.end(), is_space);
    pieces.emplace_back(begin, end);
    begin = std::find_if_not(end, text.end(), is_space);
  }
  return pieces;
}

std::u32string_view strip_spaces(std::u32string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace culprit
