#pragma once
// The words of an enum and how they are written, in one table that is read both ways.

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace culprit {

template <class Word, std::size_t N>
using WordNames = std::array<std::pair<Word, std::string_view>, N>;

/// "unknown" for a value that is none of the words.
template <class Word, std::size_t N>
std::string_view name_in(const WordNames<Word, N>& names, Word word) {
  for (const auto& [value, name] : names)
    if (value == word) return name;
  return "unknown";
}

/// Nothing where no word is written so.
template <class Word, std::size_t N>
std::optional<Word> word_in(const WordNames<Word, N>& names, std::string_view name) {
  for (const auto& [value, known] : names)
    if (known == name) return value;
  return std::nullopt;
}

}  // namespace culprit
