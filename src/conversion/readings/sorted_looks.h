#pragma once
// Looks at sorted numbers, without sorting them all.

#include <span>
#include <vector>

namespace culprit {

/// Of `numbers`, were they sorted, those at i * (size - 1) / (looks - 1) for i from 0 to looks - 1; the order of
/// `numbers` is lost. None may be NaN. Empty of no numbers. `looks`: at least 2.
std::vector<float> sorted_looks(std::span<float> numbers, std::size_t looks);
std::vector<double> sorted_looks(std::span<double> numbers, std::size_t looks);

}  // namespace culprit
