#pragma once
// Looks at sorted numbers, without sorting them all.

#include <span>
#include <vector>

namespace culprit {

/// Gives the numbers that would stand at i * (size - 1) / (looks - 1), for i from 0 to looks - 1, if `numbers` were
/// sorted. Their order is lost, and none may be NaN. No numbers give none. `looks`: at least 2.
std::vector<float> sorted_looks(std::span<float> numbers, std::size_t looks);
std::vector<double> sorted_looks(std::span<double> numbers, std::size_t looks);

}  // namespace culprit
