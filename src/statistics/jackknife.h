#pragma once
// The interval of a number that is no mean: it is computed again without one group of samples, for each group.

#include <span>

#include "statistics/sample_values.h"

namespace culprit {

/// The delete-a-group jackknife (P. Kott, J. Official Stat. 17, 2001): of G numbers that each leave one group out the
/// variance is (G - 1) / G sum (x - mean)^2, and Student's t has G - 1 degrees. For numbers between 0 and 1 of so many
/// samples
/// (`not_too_sure`); of fewer than two groups nothing is known.
Estimate jackknife(double all, std::span<const double> without_one, std::size_t samples);

/// The group of a sample, of this many.
inline constexpr std::size_t jackknife_groups = 32;
inline std::size_t jackknife_group(std::int64_t sample) {
  return static_cast<std::size_t>(static_cast<std::uint64_t>(sample) % jackknife_groups);
}

}  // namespace culprit
