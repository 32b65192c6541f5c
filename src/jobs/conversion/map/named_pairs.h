#pragma once
// Inputs, or outputs, of two networks that --map or their names pair.

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "network/network.h"

namespace culprit {

/// "a=b" of --map, taken apart.
struct NamedPairs {
  std::vector<std::pair<int, int>> inputs, outputs;  ///< places among the source's and the target's
};

/// Errors: usage, where there is no '=', or no input or output of such a name, or one is named twice.
Result<NamedPairs> pairs_of_map(const Network& source, const Network& target, std::span<const std::string> map);

/// What `pairs` leaves over whose names are equal. `ours`, `theirs`: values, by place.
std::vector<std::pair<int, int>> pairs_of_names(const Network& source, const std::vector<int>& ours,
                                                const Network& target, const std::vector<int>& theirs,
                                                std::vector<std::pair<int, int>> pairs);

}  // namespace culprit
