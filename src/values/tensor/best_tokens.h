#pragma once
// The tokens that a model of language says are likeliest to come next.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/error.h"
#include "tensor/tensor.h"

namespace culprit {

struct ScoredToken {
  std::int64_t token = -1;  ///< -1: none, for a score is NaN
  float score = 0;
  bool operator==(const ScoredToken&) const = default;
};

/// The `count` best of a row of scores [..., V], which has one, the best first; of equal ones the smaller token. Where
/// a row is shorter, or holds a NaN, -1 fills up.
std::vector<ScoredToken> best_tokens_of_row(const Tensor& scores, std::int64_t row, std::size_t count);

/// The `count` best of the last row, or of this one. ErrorKind::unsupported for what is no row of floats, or has no
/// such row.
Result<std::vector<ScoredToken>> best_tokens(const Tensor& scores, std::size_t count, std::int64_t row = -1);

}  // namespace culprit
