#include "tokens/decode_steps.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "tokens/byte_letters.h"

namespace culprit {
namespace {

/// `by` before, between and after all characters, as Rust replaces an empty text.
std::string put_between_characters(std::string_view text, std::string_view by) {
  std::string all(by);
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(first_code_point(text).length, 1);
    all += text.substr(0, length);
    all += by;
    text.remove_prefix(length);
  }
  return all;
}

/// In one go, for a whole text may be one token.
std::string replaced(std::string_view text, std::string_view what, std::string_view by) {
  if (what.empty()) return put_between_characters(text, by);
  std::string all;
  for (std::size_t at = text.find(what); at != std::string_view::npos; at = text.find(what)) {
    all += text.substr(0, at);
    all += by;
    text.remove_prefix(at + what.size());
  }
  return all += text;
}

/// The order matters: what one line makes, a later one may find.
std::string cleaned_up(std::string text) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 11> artifacts{{{" .", "."},
                                                                                     {" ?", "?"},
                                                                                     {" !", "!"},
                                                                                     {" ,", ","},
                                                                                     {" ' ", "'"},
                                                                                     {" n't", "n't"},
                                                                                     {" 'm", "'m"},
                                                                                     {" do not", " don't"},
                                                                                     {" 's", "'s"},
                                                                                     {" 've", "'ve"},
                                                                                     {" 're", "'re"}}};
  for (const auto& [what, by] : artifacts) text = replaced(text, what, by);
  return text;
}

/// The value of a digit of base 16, or 16.
unsigned hex_digit(char letter) {
  if (letter >= '0' && letter <= '9') return static_cast<unsigned>(letter - '0');
  const char small = static_cast<char>(letter | 0x20);
  return small >= 'a' && small <= 'f' ? static_cast<unsigned>(small - 'a') + 10 : 16;
}

/// Of "<0xE5>", and of "<0x+5>", for Rust reads a sign.
std::optional<char> byte_of_token(std::string_view token) {
  if (token.size() != 6 || !token.starts_with("<0x") || !token.ends_with('>')) return {};
  const unsigned high = token[3] == '+' ? 0 : hex_digit(token[3]), low = hex_digit(token[4]);
  if (high > 15 || low > 15) return {};
  return static_cast<char>(high << 4 | low);
}

void add_bytes(std::string& bytes, TokenTexts& texts) {
  if (is_utf8(bytes)) {
    if (!bytes.empty()) texts.push_back(bytes);
  } else {
    texts.insert(texts.end(), bytes.size(), std::string(broken_character));
  }
  bytes.clear();
}

}  // namespace

void join_byte_letters(TokenTexts& texts) {
  std::string bytes;
  for (const std::string& text : texts) bytes += bytes_of_letters(text).value_or(text);
  texts = {lossy_utf8(bytes)};
}

void read_byte_tokens(TokenTexts& texts) {
  TokenTexts read;
  std::string bytes;
  for (std::string& text : texts) {
    if (const auto byte = byte_of_token(text)) {
      bytes += *byte;
      continue;
    }
    add_bytes(bytes, read);
    read.push_back(std::move(text));
  }
  add_bytes(bytes, read);
  texts = std::move(read);
}

void join_word_parts(TokenTexts& texts, std::string_view prefix, bool is_cleaned_up) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    std::string& text = texts[i];
    if (i > 0) {
      if (text.starts_with(prefix))
        text.erase(0, prefix.size());
      else
        text.insert(0, 1, ' ');
    }
    if (is_cleaned_up) text = cleaned_up(std::move(text));
  }
}

void read_space_marks(TokenTexts& texts, std::string_view mark, bool is_first_without) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts[i] = replaced(texts[i], mark, i == 0 && is_first_without ? "" : " ");
}

void end_words(TokenTexts& texts, std::string_view suffix) {
  for (std::size_t i = 0; i < texts.size(); ++i)
    texts[i] = replaced(texts[i], suffix, i + 1 == texts.size() ? "" : " ");
}

void fuse_tokens(TokenTexts& texts) { texts = {join(texts, "")}; }

void strip_tokens(TokenTexts& texts, std::string_view content, std::size_t at_start, std::size_t at_end) {
  for (std::string& text : texts) {
    std::string_view left = text;
    for (std::size_t i = 0; i < at_start && left.starts_with(content); ++i) left.remove_prefix(content.size());
    for (std::size_t i = 0; i < at_end && left.ends_with(content); ++i) left.remove_suffix(content.size());
    text = std::string(left);
  }
}

void replace_in_tokens(TokenTexts& texts, std::string_view what, std::string_view by) {
  for (std::string& text : texts)
    if (!text.empty()) text = replaced(text, what, by);
}

void join_frames(TokenTexts& texts, const FrameTokens& frames) {
  texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
  for (std::string& text : texts) {
    if (!frames.pad_token.empty()) text = replaced(text, frames.pad_token, "");
    if (frames.is_cleaned_up) text = replaced(cleaned_up(std::move(text)), frames.word_delimiter, " ");
  }
  std::erase_if(texts, [](const std::string& text) { return text.empty(); });
}

}  // namespace culprit
