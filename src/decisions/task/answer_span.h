#pragma once
// The answer that two rows of scores mean, of where it begins and of where it ends.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "task/sample_text.h"

namespace culprit {

/// Rows of scores of the same sizes: a row for each window, a score for each token.
struct SpanScores {
  std::vector<std::vector<double>> start, end;
};

struct AnswerSpan {
  std::size_t window = 0, first = 0, last = 0;  ///< tokens; the last one belongs to it
  double score = 0;                             ///< start[first] + end[last]
  bool operator==(const AnswerSpan&) const = default;
};

/// An answer has at most so many tokens, as in the scripts that come with BERT.
inline constexpr std::size_t longest_answer = 30;

/// The span with the largest score, over all windows; of equal ones the first. Where `text` is known, both its ends
/// are tokens of the context. nullopt: nothing can be an answer, or a score is NaN.
std::optional<AnswerSpan> best_span(const SpanScores& scores, const SampleText* text);

/// How sure the scores are that there is no answer: the least start[0] + end[0] of all windows. 0 without windows.
double no_answer_score(const SpanScores& scores);

}  // namespace culprit
