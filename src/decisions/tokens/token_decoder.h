#pragma once
// Text of the token ids that a model gives, as the Python package tokenizers decodes them. What the ids mean stands in
// a tokenizer.json, which is untrusted.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "tokens/decode_steps.h"
#include "tokens/vocabulary.h"

namespace culprit {

class TokenDecoder {
 public:
  /// `tokenizer_json` is the content of the file, 256 MiB and 16 million tokens at most. An Error where it is damaged
  /// (bad_input), or has a model, a decoder or a regular expression that is not known here (unsupported); it names
  /// what was found.
  static Result<TokenDecoder> of(std::string_view tokenizer_json);

  /// The text of all ids together, always UTF-8: bytes of tokens that make no character are U+FFFD. Ids without a token
  /// are left out; so are special tokens where `skip_special`.
  ///
  /// It differs from tokenizers 0.23 in two cases. Where a decoder strips more characters than a token has, that
  /// panics, and here nothing is left of the token. Of a normalizer's work on added tokens, regular expressions with
  /// operators and what is beyond ASCII are left out, but for small letters, spaces and plain replacements.
  [[nodiscard]] std::string decode(std::span<const std::int64_t> ids, bool skip_special) const;

  /// As the vocabulary spells it: "Ġthe", "##ing"; "" where there is no such id.
  [[nodiscard]] std::string token(std::int64_t id) const;
  /// Would `decode` leave it out?
  [[nodiscard]] bool is_special(std::int64_t id) const;
  /// Ids that have a token. Some may be larger than this, where others are not used.
  [[nodiscard]] std::int64_t size() const;

 private:
  Vocabulary vocabulary_;
  std::optional<std::vector<DecodeStep>> steps_;  // absent: tokens with spaces between
};

}  // namespace culprit
