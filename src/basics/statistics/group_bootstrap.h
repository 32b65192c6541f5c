#pragma once
// The interval of a number that is no mean and dear to compute, such as average precision: samples are put into 32
// groups by their numbers, and a draw takes as many groups as there are, each by chance among all, so that the number
// is computed with a weight for each group (the bootstrap of clusters: A. Davison, D. Hinkley, "Bootstrap methods and
// their application", 1997, section 3.8).

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
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

/// Computes a number of all samples and its interval. `value(weights)` gives the number for such weights of the groups:
/// a double, or an optional one where a draw may have no such number; all groups together must have it.
template <class Value>
Estimate over_draws(std::uint32_t there, std::uint64_t seed, std::size_t samples, Value value) {
  std::vector<double> drawn;
  drawn.reserve(group_draws);
  for (const GroupWeights& weights : draw_groups(there, seed))
    if (const std::optional<double> one = value(weights)) drawn.push_back(*one);
  GroupWeights once;
  once.fill(1);
  return around_draws(std::optional<double>(value(once)).value(), std::move(drawn), samples);
}

/// Sums of groups, each as often as its weight says; `merge(sum, times)` adds one to another.
template <class Sum>
Sum weighted_sum(const std::array<Sum, sample_groups>& groups, const GroupWeights& weights) {
  Sum all;
  for (std::size_t group = 0; group < groups.size(); ++group)
    if (weights[group] > 0) all.merge(groups[group], weights[group]);
  return all;
}

}  // namespace culprit
