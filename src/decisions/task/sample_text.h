#pragma once
// The text that a sample's numbers were made of: what turns numbers back into words.

#include <cstdint>
#include <string>
#include <vector>

namespace culprit {

/// Where a token stands in a text, in bytes of UTF-8. (-1, -1): it is no part of that text.
struct TokenPlace {
  std::int64_t begin = -1, end = -1;
  [[nodiscard]] bool is_there() const { return begin >= 0; }
  bool operator==(const TokenPlace&) const = default;
};

/// A question and the text in which its answer stands. A text that is longer than what the model reads at once is fed
/// in windows, each a row of the sample.
struct SampleText {
  std::string context;                           ///< UTF-8
  std::vector<std::vector<TokenPlace>> windows;  ///< for each window, each token of its row: its place in the context
  bool may_have_no_answer = false;               ///< data as SQuAD 2.0: the first token stands for "no answer"
};

}  // namespace culprit
