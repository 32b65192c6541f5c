#pragma once
// What decoders do with the texts of tokens, one after the other: each changes them, and the last ones are put
// together.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace culprit {

using TokenTexts = std::vector<std::string>;
using DecodeStep = std::function<void(TokenTexts&)>;

/// Letters become the bytes for which they stand, and all tokens one text. A token with any other character is kept.
void join_byte_letters(TokenTexts& texts);

/// Tokens such as "<0xE5>" become bytes. Those in a row that are no UTF-8 together become a U+FFFD each.
void read_byte_tokens(TokenTexts& texts);

/// Words have a space before them, and parts that start with `prefix` go on with the word before. Cleaned up, there is
/// none before punctuation and such as "n't", as far as both are of one token.
void join_word_parts(TokenTexts& texts, std::string_view prefix, bool is_cleaned_up);

/// `mark` stands for a space. In the first token there are none where `is_first_without`.
void read_space_marks(TokenTexts& texts, std::string_view mark, bool is_first_without);

/// `suffix` is the end of a word: a space, but in the last token nothing.
void end_words(TokenTexts& texts, std::string_view suffix);

void fuse_tokens(TokenTexts& texts);

/// At most `at_start` and `at_end` times the character `content` goes from both ends of each token.
void strip_tokens(TokenTexts& texts, std::string_view content, std::size_t at_start, std::size_t at_end);

/// In each token `what` becomes `by`. If it is empty, it is found before, between and after all characters of a token
/// that has any.
void replace_in_tokens(TokenTexts& texts, std::string_view what, std::string_view by);

struct FrameTokens {
  std::string pad_token, word_delimiter;
  bool is_cleaned_up = true;  ///< as words are, and `word_delimiter` becomes a space
};
/// What a model of connectionist temporal classification gives: of equal tokens in a row one is left, and no padding.
void join_frames(TokenTexts& texts, const FrameTokens& frames);

}  // namespace culprit
