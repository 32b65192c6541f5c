#pragma once
// How a value is used: equal hashes for values that the same operators use at the same places.

#include <vector>

#include "model/graph_index.h"

namespace culprit {

struct Signatures {
  std::vector<Hash128> loose;   ///< by value: operators and places
  std::vector<Hash128> strict;  ///< attributes and constant inputs of the users as well
};

/// `outputs`: by place what each output of the graph is bound to, equal in both graphs; -1: to nothing.
/// `constants`: by value, a hash of those that are constant.
Signatures signatures_of(const GraphIndex& graph, const std::vector<int>& outputs,
                         const std::vector<Hash128>& constants);

}  // namespace culprit
