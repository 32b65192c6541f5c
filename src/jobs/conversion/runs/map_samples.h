#pragma once
// On which samples the map is made.

#include <vector>

#include "conversion/runs/both_sides.h"

namespace culprit {

/// What both sides compute on all samples.
struct BothElements {
  Elements& source;
  Elements& target;
};

/// `most` where the elements of all values on so many samples stay in memory; of larger networks fewer, at least 2.
std::size_t samples_with_room(const ReadSide& source, const ReadSide& target, std::size_t most);

/// Chooses the samples on which the outputs are the furthest apart, at most `most`, in their order: they become the map
/// samples of both sides. Errors: of reading.
Result<void> choose_map_samples(ReadSide& source, ReadSide& target, const BothElements& elements,
                                const std::vector<ValueMatch>& outputs, std::size_t most);

}  // namespace culprit
