#pragma once
// Rows of two tables that do not go together as the other rows do.

#include <cstddef>
#include <vector>

namespace culprit {

/// Row-major.
struct TableRows {
  std::size_t count = 0, width = 0;
  std::vector<float> numbers = {};

  [[nodiscard]] const float* row(std::size_t i) const { return numbers.data() + i * width; }
};

/// Two tables of the same number of rows that should mean the same: as they are, or one worked out of the other. What
/// do most rows have in common: equal numbers, equal but for a size and an offset of each row (8 bits), or a linear map
/// (a factor or a matrix that was multiplied in)? Rows for which that does not hold, the furthest off first, at most
/// 16; none where most rows have nothing of it in common, or are wider than 4,096 numbers (768 for a linear map).
std::vector<std::size_t> rows_unlike(const TableRows& one, const TableRows& other);

}  // namespace culprit
