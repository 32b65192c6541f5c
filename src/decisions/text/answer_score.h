#pragma once
// How good an answer to a question is, as the script of SQuAD 2.0 counts.

#include <span>
#include <string>
#include <string_view>

namespace culprit {

/// The text in lower case, without the signs of ASCII, without the words a, an, the, and with one space between words.
std::u32string normal_answer(std::string_view text);

struct AnswerScore {
  bool exact = false;
  double f1 = 0;  ///< of the words of both, each as often as it stands there; 0 to 1
};

/// The answer is held against the best of `answers`, by each measure for itself. Answers that normalize to nothing do
/// not count; where none is left, nothing is right but nothing: a question without an answer.
AnswerScore score_of_answer(std::string_view answer, std::span<const std::string> answers);

}  // namespace culprit
