#include "text/bleu.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

#include "base/text.h"
#include "base/utf8.h"
#include "text/unicode.h"

namespace culprit {
namespace {

constexpr double percent = 100;

bool is_digit(char32_t character) { return character >= U'0' && character <= U'9'; }
bool is_point(char32_t character) { return character == U'.' || character == U','; }
/// Signs of ASCII that are tokens wherever they stand: all but the apostrophe, the comma, the dash and the point.
bool is_always_token(char32_t character) {
  return (character >= U' ' && character <= U'&') || (character >= U'(' && character <= U'+') || character == U'/' ||
         (character >= U':' && character <= U'@') || (character >= U'[' && character <= U'`') ||
         (character >= U'{' && character <= U'~');
}

/// Puts spaces around the first, or around the second, of two characters for which `is_pair` holds. A character that
/// was in a pair is not looked at again, as regular expressions do it.
template <class IsPair>
std::u32string split_pairs(std::u32string_view text, const IsPair& is_pair, bool is_around_first) {
  std::u32string split;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_found = i + 1 < text.size() && is_pair(text[i], text[i + 1]);
    if (is_found && is_around_first) split += U' ';
    split += text[i];
    if (!is_found) continue;
    split += U' ';
    split += text[++i];
    if (!is_around_first) split += U' ';
  }
  return split;
}

/// The text without spaces at its end.
std::string_view without_end(std::string_view text) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size();) {
    const CodePoint point = first_code_point(text.substr(i));
    i += std::max<std::size_t>(point.length, 1);
    if (point.length == 0 || !is_space(point.value)) end = i;
  }
  return text.substr(0, end);
}

std::string without_marks(std::string text) {
  text = replace_all(std::move(text), "<skipped>", "");
  text = replace_all(std::move(text), "-\n", "");
  text = replace_all(std::move(text), "\n", " ");
  for (const auto& [mark, sign] : {std::pair{"&quot;", "\""}, {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}})
    text = replace_all(std::move(text), mark, sign);
  return text;
}

using Runs = std::map<std::u32string, std::int64_t>;

/// Runs of `length` tokens; what stands between two tokens is in none.
Runs runs_of(std::span<const std::u32string> tokens, std::size_t length) {
  Runs runs;
  for (std::size_t i = 0; i + length <= tokens.size(); ++i) {
    std::u32string run;
    for (const std::u32string& token : tokens.subspan(i, length)) run += token + U' ';
    ++runs[run];
  }
  return runs;
}

/// The length of a reference that is nearest to `length`; the shorter one of two.
std::int64_t nearest_length(std::span<const std::vector<std::u32string>> references, std::size_t length) {
  std::int64_t nearest = -1;
  const auto wanted = static_cast<std::int64_t>(length);
  for (const auto& reference : references) {
    const auto its = static_cast<std::int64_t>(reference.size());
    const std::int64_t far = std::abs(its - wanted), best = std::abs(nearest - wanted);
    if (nearest < 0 || far < best || (far == best && its < nearest)) nearest = its;
  }
  return nearest;
}

}  // namespace

std::vector<std::u32string> bleu_tokens(std::string_view line) {
  std::u32string text;
  for (const char32_t character : characters_of(" " + without_marks(std::string(without_end(line))) + " ")) {
    if (is_always_token(character))
      text += {U' ', character, U' '};
    else
      text += character;
  }
  const auto points_at_word = [](char32_t first, char32_t second) { return !is_digit(first) && is_point(second); };
  const auto word_at_point = [](char32_t first, char32_t second) { return is_point(first) && !is_digit(second); };
  const auto dash_at_number = [](char32_t first, char32_t second) { return is_digit(first) && second == U'-'; };
  text = split_pairs(text, points_at_word, false);
  text = split_pairs(text, word_at_point, true);
  return split_at_spaces(split_pairs(text, dash_at_number, false));
}

void CorpusBleu::add(std::string_view sentence, std::span<const std::string> references) {
  const std::vector<std::u32string> tokens = bleu_tokens(sentence);
  std::vector<std::vector<std::u32string>> right;
  right.reserve(references.size());
  for (const std::string& reference : references) right.push_back(bleu_tokens(reference));
  for (std::size_t n = 0; n < longest; ++n) {
    Runs most;
    for (const auto& reference : right)
      for (const auto& [run, count] : runs_of(reference, n + 1)) most[run] = std::max(most[run], count);
    for (const auto& [run, count] : runs_of(tokens, n + 1)) {
      all_[n] += count;
      if (const auto found = most.find(run); found != most.end()) same_[n] += std::min(count, found->second);
    }
  }
  length_ += static_cast<std::int64_t>(tokens.size());
  reference_length_ += nearest_length(right, tokens.size());
}

void CorpusBleu::merge(const CorpusBleu& other, std::int64_t times) {
  for (std::size_t n = 0; n < longest; ++n) {
    same_[n] += times * other.same_[n];
    all_[n] += times * other.all_[n];
  }
  length_ += times * other.length_;
  reference_length_ += times * other.reference_length_;
}

std::array<std::int64_t, 2 * CorpusBleu::longest + 2> CorpusBleu::counts() const {
  std::array<std::int64_t, 2 * longest + 2> counts{};
  std::ranges::copy(same_, counts.begin());
  std::ranges::copy(all_, counts.begin() + longest);
  counts[2 * longest] = length_;
  counts[2 * longest + 1] = reference_length_;
  return counts;
}

CorpusBleu CorpusBleu::of(const std::array<std::int64_t, 2 * longest + 2>& counts) {
  CorpusBleu corpus;
  std::copy_n(counts.begin(), longest, corpus.same_.begin());
  std::copy_n(counts.begin() + longest, longest, corpus.all_.begin());
  corpus.length_ = counts[2 * longest];
  corpus.reference_length_ = counts[2 * longest + 1];
  return corpus;
}

std::optional<double> CorpusBleu::score() const {
  if (all_[longest - 1] == 0) return std::nullopt;
  if (same_[0] == 0) return 0;
  double logs = 0, smooth = 1;
  for (std::size_t n = 0; n < longest; ++n) {
    if (same_[n] == 0) smooth *= 2;
    const double same = same_[n] == 0 ? 1 / smooth : static_cast<double>(same_[n]);
    logs += std::log(percent * same / static_cast<double>(all_[n]));
  }
  const double shorter = length_ < reference_length_
                             ? std::exp(1 - static_cast<double>(reference_length_) / static_cast<double>(length_))
                             : 1;
  return shorter * std::exp(logs / longest);
}

}  // namespace culprit
