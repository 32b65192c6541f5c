#pragma once
// In which order the target's layer gives its channels, told by its kernel alone: also where its values are wrong.

#include <cstdint>
#include <optional>
#include <vector>

#include "conversion/map/derived_parameters.h"
#include "conversion/map/match_parameters.h"

namespace culprit {

/// The target's slice i along O is the source's slice result[i]. `of_inputs`: the order in which the kernel's inputs
/// come (as ValueOrder::channels), empty: as they are. Slices are paired by mean absolute difference, each once;
/// nothing where fewer than 3 of 4 (and 2) have a partner that is 3 times nearer than the second nearest, where the
/// letters do not tell O and I of both, or where all stand as they are. Pure.
std::optional<std::vector<std::int64_t>> channel_order(const DerivedTensor& source, const TargetParameter& target,
                                                       const std::vector<std::int64_t>& of_inputs);

}  // namespace culprit
