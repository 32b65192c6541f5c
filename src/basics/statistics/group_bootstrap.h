#pragma once
// The interval of a number that is no mean and dear to compute, such as average precision: samples are put into 32
// groups by their numbers, and a draw takes as many groups as there are, each by chance among all, so that the number
// is computed with a weight for each group (the bootstrap of clusters: A. Davison, D. Hinkley, "Bootstrap methods and
// their application", 1997, section 3.8).

#include <array>
#include <cstdint>
#include <vector>

#include "statistics/sample_values.h"

namespace culprit {

inline constexpr std::size_t sample_groups = 32;
inline constexpr std::size_t group_draws = 100;

/// The group of a sample.
inline std::size_t group_of(std::int64_t sample) {
  return static_cast<std::size_t>(static_cast<std::uint64_t>(sample) % sample_groups);
}

/// How often a draw takes each group; the sum is that of the groups there are.
using GroupWeights = std::array<std::int64_t, sample_groups>;

/// `group_draws` of them, of the groups whose bit is set in `there`.
std::vector<GroupWeights> draw_groups(std::uint32_t there, std::uint64_t seed);

/// The middle 95 % of what the draws gave around what all samples give: numbers between 0 and 1 of so many samples
/// (`not_too_sure`). Of fewer than two draws nothing is known.
Estimate around_draws(double all, std::vector<double> drawn, std::size_t samples);

}  // namespace culprit
