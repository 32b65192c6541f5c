#include "text/error_rate.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "text/unicode.h"

namespace culprit {
namespace {

/// The distance of Levenshtein, by rows of the shorter sequence.
std::int64_t distance(std::u32string_view one, std::u32string_view other) {
  while (!one.empty() && !other.empty() && one.front() == other.front()) {
    one.remove_prefix(1);
    other.remove_prefix(1);
  }
  while (!one.empty() && !other.empty() && one.back() == other.back()) {
    one.remove_suffix(1);
    other.remove_suffix(1);
  }
  if (one.size() > other.size()) std::swap(one, other);
  std::vector<std::int64_t> row(one.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (const char32_t there : other) {
    std::int64_t diagonal = row[0]++;
    for (std::size_t i = 0; i < one.size(); ++i) {
      const std::int64_t exchanged = diagonal + (one[i] == there ? 0 : 1);
      diagonal = row[i + 1];
      row[i + 1] = std::min({exchanged, row[i] + 1, row[i + 1] + 1});
    }
  }
  return row.back();
}

/// Two spaces and more of any kind become one; then only that one divides words.
std::vector<std::u32string> words_of(std::string_view text) {
  const std::u32string characters = characters_of(text);
  std::u32string single;
  for (std::size_t i = 0; i < characters.size();) {
    std::size_t end = i;
    while (end < characters.size() && is_space(characters[end])) ++end;
    if (end > i + 1) single += U' ';
    if (end <= i + 1) single += characters[i];
    i = std::max(end, i + 1);
  }
  std::vector<std::u32string> words;
  std::u32string_view left = strip_spaces(single);
  while (!left.empty()) {
    const std::size_t end = std::min(left.find(U' '), left.size());
    if (end > 0) words.emplace_back(left.substr(0, end));
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return words;
}

/// Equal words have equal numbers.
std::u32string numbered(std::span<const std::u32string> words, std::map<std::u32string, char32_t>& numbers) {
  std::u32string text;
  text.reserve(words.size());
  for (const std::u32string& word : words)
    text += numbers.emplace(word, static_cast<char32_t>(numbers.size())).first->second;
  return text;
}

}  // namespace

ErrorCount word_errors(std::string_view said, std::string_view heard) {
  std::map<std::u32string, char32_t> numbers;
  const std::u32string one = numbered(words_of(said), numbers), other = numbered(words_of(heard), numbers);
  return {distance(one, other), static_cast<std::int64_t>(one.size())};
}

ErrorCount character_errors(std::string_view said, std::string_view heard) {
  const std::u32string one = characters_of(said), other = characters_of(heard);
  const std::u32string_view stripped = strip_spaces(one);
  return {distance(stripped, strip_spaces(other)), static_cast<std::int64_t>(stripped.size())};
}

}  // namespace culprit
