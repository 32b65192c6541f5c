#pragma once
// Vectors that stand for things: alike where they point the same way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace culprit {

bool holds_nan(std::span<const double> numbers);

/// a b / (|a| |b|) (sklearn.metrics.pairwise.cosine_similarity). 1 for equal vectors whatever they hold; else 0 where
/// one is 0 or anything is not finite.
double cosine_of(std::span<const double> a, std::span<const double> b);

/// The `k` others whose vectors have the largest cosine with that of `item`, the nearest first; of equal ones the
/// smaller number. Vectors with NaN come last.
std::vector<std::int64_t> nearest_neighbours(std::span<const std::vector<float>> vectors, std::size_t item,
                                             std::size_t k);

/// For each item the share of its `k` nearest neighbours that are the same in both sets. 0 where only one of
/// its vectors holds NaN, 1 where both do.
std::vector<double> neighbour_agreement(std::span<const std::vector<float>> a, std::span<const std::vector<float>> b,
                                        std::size_t k);

}  // namespace culprit
