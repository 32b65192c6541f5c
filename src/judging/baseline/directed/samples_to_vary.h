#pragma once
// Which samples are worth varying for places that not every sample comes to.

#include <cstddef>
#include <set>
#include <string>
#include <vector>

namespace culprit {

/// Of each sample, the places that it came to; given is the order in which to take the samples that came to any: each
/// time one that came to most of those that are left, the last of several; when all were there, they are all left
/// again.
std::vector<std::size_t> bases_of(const std::vector<std::set<std::string>>& reached);

}  // namespace culprit
