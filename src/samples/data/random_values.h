#pragma once
// Values of one input by its rule.

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "data/value_rules.h"
#include "tensor/tensor.h"

namespace culprit {

/// What one sample of one input is drawn with.
struct Drawing {
  const Shape& shape;
  const Sizes& sizes;
  std::uint64_t seed = 0;
  std::int64_t index = 0;   ///< of the sample
  Stop stop = {};           ///< then what is drawn is not whole
  std::int64_t number = 0;  ///< of the sample, also where values are plain and `index` stays 0
};

/// How many leading ones row `row` of `width` places has in a mask; the same for every mask of a sample. All of them in
/// the first sample, at least half of them, and what a cache holds besides, in others.
std::int64_t ones_in_row(const Drawing& drawing, std::int64_t row, std::int64_t width);

/// Numbers in row-major order; whole ones but for `uniform` rules of floats.
std::vector<double> draw_by_rule(const Rule& rule, bool is_float, const Drawing& drawing, Random& random);

/// What the open dimension that counts a cache is; 0 where there is none.
std::int64_t past_in(const Sizes& sizes);

}  // namespace culprit
