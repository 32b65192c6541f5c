#include "text/answer_score.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "text/unicode.h"

namespace culprit {
namespace {

bool is_sign(char32_t character) {
  constexpr std::u32string_view signs = U"!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
  return signs.find(character) != std::u32string_view::npos;
}

/// A word is what regular expressions take for one, so "the" in "the\u2019s" is an article.
std::u32string without_articles(std::u32string_view text) {
  constexpr std::array<std::u32string_view, 3> articles{U"a", U"an", U"the"};
  std::u32string left;
  while (!text.empty()) {
    const auto end = std::ranges::find_if_not(text, is_word);
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::u32string_view word = text.substr(0, length);
    if (std::ranges::find(articles, word) != articles.end())
      left += U' ';
    else
      left += word;
    if (length < text.size()) left += text[length];
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return left;
}

std::vector<std::u32string> words_of_answer(std::string_view text) {
  std::u32string lowered = lower_text(characters_of(text));
  std::erase_if(lowered, is_sign);
  return split_at_spaces(without_articles(lowered));
}

double f1_of(const std::vector<std::u32string>& answer, const std::vector<std::u32string>& right) {
  if (answer.empty() || right.empty()) return answer == right ? 1 : 0;
  std::map<std::u32string_view, int> left;
  for (const std::u32string& word : right) ++left[word];
  int same = 0;
  for (const std::u32string& word : answer)
    if (left[word]-- > 0) ++same;
  if (same == 0) return 0;
  const double precision = static_cast<double>(same) / static_cast<double>(answer.size());
  const double recall = static_cast<double>(same) / static_cast<double>(right.size());
  return 2 * precision * recall / (precision + recall);
}

}  // namespace

std::u32string normal_answer(std::string_view text) {
  std::u32string normal;
  for (const std::u32string& word : words_of_answer(text)) normal += (normal.empty() ? U"" : U" ") + word;
  return normal;
}

AnswerScore score_of_answer(std::string_view answer, std::span<const std::string> answers) {
  std::vector<std::vector<std::u32string>> right;
  for (const std::string& one : answers)
    if (auto words = words_of_answer(one); !words.empty()) right.push_back(std::move(words));
  if (right.empty()) right.emplace_back();
  const std::vector<std::u32string> given = words_of_answer(answer);
  AnswerScore score;
  for (const auto& one : right) {
    score.exact = score.exact || given == one;
    score.f1 = std::max(score.f1, f1_of(given, one));
  }
  return score;
}

}  // namespace culprit
