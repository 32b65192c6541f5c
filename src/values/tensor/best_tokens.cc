#include "tensor/best_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace culprit {

std::vector<ScoredToken> best_tokens_of_row(const Tensor& scores, std::int64_t row_number, std::size_t count) {
  const std::int64_t size = scores.shape().back(), begin = row_number * size;
  std::vector<float> row(static_cast<std::size_t>(size));
  for (std::int64_t i = 0; i < size; ++i)
    row[static_cast<std::size_t>(i)] = static_cast<float>(scores.number(begin + i));
  std::vector<ScoredToken> best(count);
  if (std::ranges::any_of(row, [](float score) { return std::isnan(score); })) return best;
  std::vector<std::int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  const auto few = static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), order.begin() + few, order.end(), [&](std::int64_t a, std::int64_t b) {
    const float x = row[static_cast<std::size_t>(a)], y = row[static_cast<std::size_t>(b)];
    return x != y ? x > y : a < b;
  });
  for (std::size_t i = 0; i < static_cast<std::size_t>(few); ++i)
    best[i] = {order[i], row[static_cast<std::size_t>(order[i])]};
  return best;
}

Result<std::vector<ScoredToken>> best_tokens(const Tensor& scores, std::size_t count, std::int64_t row) {
  const bool is_row = is_float(scores.dtype()) && !scores.shape().empty() && scores.shape().back() > 0;
  if (!is_row || scores.count() == 0) return fail(ErrorKind::unsupported, "scores of tokens are floats [..., tokens]");
  const std::int64_t rows = scores.count() / scores.shape().back();
  if (row >= rows)
    return fail(ErrorKind::unsupported, fmt::format("there are scores at {} places, and none at place {}", rows, row));
  return best_tokens_of_row(scores, row < 0 ? rows - 1 : row, count);
}

}  // namespace culprit
