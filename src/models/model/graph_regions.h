#pragma once
// The part of a graph between a value and the values before it that are known: what makes its error, if it is not
// theirs.

#include <vector>

#include "model/graph_index.h"

namespace culprit {

struct Region {
  std::vector<int> nodes;    ///< the maker of the first value first, then backwards; nodes that only compute constants
                             ///< are left out
  std::vector<int> borders;  ///< values that are cut, where the region begins; each once
};

/// Of these values together, back to values that are `is_cut` (by number of the value; the values themselves are not
/// asked), the graph's inputs and constants. Each node is visited once.
Region region_before(const GraphIndex& graph, const std::vector<int>& values, const std::vector<bool>& is_cut);

/// Values that are cut and are made of this one without another cut value between; at most `most` nodes are visited,
/// and where there are more, nothing is returned.
std::vector<int> cut_values_behind(const GraphIndex& graph, int value, const std::vector<bool>& is_cut,
                                   std::size_t most);

}  // namespace culprit
