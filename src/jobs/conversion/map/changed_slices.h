#pragma once
// Hidden channels in another order: which slice of one value is which of the other.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tensor/tensor.h"

namespace culprit {

/// Elements of all samples, one behind the other, each sample in its shape; both sides in the same layout.
struct SlicedNumbers {
  std::span<const float> source, target;
  std::span<const Shape> shapes;  ///< of the samples
};

/// For each slice of the target along `axis` the slice of the source with the same numbers, each once; of equal slices
/// the one that stands where it does. Slices are the same where they are no further apart than `most` times the mean
/// size of all numbers. nullopt: some slice has none, a slice has fewer than 4 numbers, or samples have other counts of
/// slices.
std::optional<std::vector<std::int64_t>> changed_slices(const SlicedNumbers& numbers, std::size_t axis, double most);

}  // namespace culprit
