#pragma once
// Two ways of doing the same samples: does one go wrong significantly more often than the other? Only samples tell on
// which they part. Q. McNemar, "Note on the sampling error of the difference between correlated proportions", 1947, in
// its exact form: of n such samples the first has X ~ Binomial(n, 1/2).

#include <cstdint>

namespace culprit {

/// The chance to see so uneven a split, to either side: min(1, 2 P(X <= min)). 1 where there are no such samples.
double mcnemar_two_sided(std::int64_t only_first, std::int64_t only_second);
/// The chance of at least `only_first`: P(X >= only_first).
double mcnemar_more(std::int64_t only_first, std::int64_t only_second);
/// Does the first do it significantly more often?
bool is_significantly_more(std::int64_t only_first, std::int64_t only_second, double level = 0.01);

}  // namespace culprit
