#include "task/answer_span.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace culprit {
namespace {

bool holds_no_number(const std::vector<std::vector<double>>& rows) {
  return std::ranges::any_of(
      rows, [](const auto& row) { return std::ranges::any_of(row, [](double score) { return std::isnan(score); }); });
}

/// May an answer begin or end at this token?
bool may_be_end(const SampleText* text, std::size_t window, std::size_t token) {
  if (text == nullptr || text->windows.empty()) return true;
  if (window >= text->windows.size() || token >= text->windows[window].size()) return false;
  return text->windows[window][token].is_there();
}

}  // namespace

std::optional<AnswerSpan> best_span(const SpanScores& scores, const SampleText* text) {
  if (holds_no_number(scores.start) || holds_no_number(scores.end)) return std::nullopt;
  std::optional<AnswerSpan> best;
  for (std::size_t window = 0; window < scores.start.size(); ++window) {
    const auto &start = scores.start[window], &end = scores.end[window];
    for (std::size_t first = 0; first < start.size(); ++first) {
      if (!may_be_end(text, window, first)) continue;
      const std::size_t stop = std::min(end.size(), first + longest_answer);
      for (std::size_t last = first; last < stop; ++last) {
        const double score = start[first] + end[last];
        if ((best && !(score > best->score)) || !may_be_end(text, window, last)) continue;
        best = AnswerSpan{window, first, last, score};
      }
    }
  }
  return best;
}

double no_answer_score(const SpanScores& scores) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t window = 0; window < scores.start.size(); ++window)
    if (!scores.start[window].empty() && !scores.end[window].empty())
      least = std::min(least, scores.start[window][0] + scores.end[window][0]);
  return std::isinf(least) && least > 0 ? 0 : least;
}

}  // namespace culprit
