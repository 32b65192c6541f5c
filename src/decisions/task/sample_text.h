#pragma once
// The text that a sample's numbers were made of: what turns numbers back into words.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace culprit {

class TokenDecoder;  // tokens/token_decoder.h

/// Where a token stands in a text, in bytes of UTF-8. (-1, -1): it is no part of that text.
struct TokenPlace {
  std::int64_t begin = -1, end = -1;
  [[nodiscard]] bool is_there() const { return begin >= 0; }
  bool operator==(const TokenPlace&) const = default;
};

/// A question and the text in which its answer stands, or a text that a model goes on with. A context that is longer
/// than what the model reads at once is fed in windows, each a row of the sample.
struct SampleText {
  std::string context;                           ///< UTF-8
  std::vector<std::vector<TokenPlace>> windows;  ///< for each window, each token of its row: its place in the context
  bool may_have_no_answer = false;               ///< data as SQuAD 2.0: the first token stands for "no answer"
  std::shared_ptr<const TokenDecoder> decoder = {};  ///< makes text of tokens; null: nobody knows it
  std::vector<std::int64_t> target = {};             ///< of a text that goes on: the tokens that are right to follow
  std::int64_t first_predicted = 0;                  ///< the first position whose next token is to be predicted
  std::int64_t end = -1;                             ///< the token after which a text says nothing; -1: nobody tells it
};

}  // namespace culprit
