#pragma once
// How alike two models rank the same items. Item i has the score at place i. NaN stands behind every number, and two
// NaN are equal; where scores are equal, the smaller index comes first.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace culprit {

/// The `k` best items, the best one first; all where there are fewer.
std::vector<std::int64_t> top_k(std::span<const double> scores, std::size_t k);
/// The place of this item in that order, from 0.
std::size_t rank_of(std::span<const double> scores, std::size_t item);

/// Kendall's tau-b (M. Kendall, "The treatment of ties in ranking problems", Biometrika 33, 1945): pairs in the same
/// order less pairs in opposite order, over sqrt(pairs not tied in a x pairs not tied in b). scipy.stats.kendalltau.
/// Where that is 0/0: 1 if all are tied in both (or there is but one item), 0 if in one only.
double kendall_tau_b(std::span<const double> a, std::span<const double> b);

/// tau-b over the union of both top k, each item ranked by each model's own scores. Both span all items.
double tau_of_top_k(std::span<const double> a, std::span<const double> b, std::size_t k);

/// Rank-biased overlap, extrapolated: W. Webber, A. Moffat, J. Zobel, "A similarity measure for indefinite rankings",
/// ACM TOIS 28, 2010, equation 32, for two lists without repeats; of unequal ones the longer is cut. With p = 0.9 the
/// first ten ranks have 86 % of the weight. Two empty lists: 1.
double rank_biased_overlap(std::span<const std::int64_t> a, std::span<const std::int64_t> b, double p = 0.9);

/// By how much `first` stands above `other`; 0 where NaN leaves no number to say.
double margin_between(std::span<const double> scores, std::int64_t first, std::int64_t other);

}  // namespace culprit
